package io.headgate.core.limit;

import java.util.concurrent.locks.LockSupport;

/** How a thread waits for another that is at work for a few instructions. */
final class Backoff {

  private static final int SPINS = 64;
  private static final int YIELDS = 256;
  private static final long PAUSE_NANOS = 50_000;

  private Backoff() {}

  /** Waits for a moment that grows with the number of tries; that number and one more. */
  static int pause(int tries) {
    if (tries < SPINS) {
      Thread.onSpinWait();
    } else if (tries < SPINS + YIELDS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return tries + 1;
  }
}
