package io.headgate.envoy.proxy;

import io.headgate.agent.Gate;
import io.headgate.envoy.stage.Stage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What a proxy has counted of one caller and procedure that has not been reported yet. The thread
 * of the proxy's stream adds, the loop takes; neither waits for the other.
 */
final class PairCounts {

  private final Gate gate;
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLongArray drops = new AtomicLongArray(Stage.IN_ORDER.size());
  private volatile boolean changed;
  private volatile long seenNanos;

  /** How the proxy writes the procedure: as a path, as it is, or both. */
  private volatile boolean asPath;

  private volatile boolean asName;

  PairCounts(Gate gate, long nowNanos) {
    this.gate = gate;
    seenNanos = nowNanos;
  }

  Gate gate() {
    return gate;
  }

  /** The proxy writes the procedure like this: with a slash before it, or without. */
  void written(boolean asPath) {
    if (asPath) {
      this.asPath = true;
    } else {
      asName = true;
    }
  }

  boolean isWrittenAsPath() {
    return asPath;
  }

  boolean isWrittenAsName() {
    return asName;
  }

  void addRequests(long number, long nowNanos) {
    requests.addAndGet(number);
    seenNanos = nowNanos;
    changed = true;
  }

  void addDrops(Stage stage, long number) {
    drops.addAndGet(stage.ordinal(), number);
    changed = true;
  }

  /** When it was counted last. */
  long seenNanos() {
    return seenNanos;
  }

  /** Whether something was added since this was asked last. */
  boolean takeChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  long takeRequests() {
    return requests.getAndSet(0);
  }

  long takeDrops(Stage stage) {
    return drops.getAndSet(stage.ordinal(), 0);
  }
}
