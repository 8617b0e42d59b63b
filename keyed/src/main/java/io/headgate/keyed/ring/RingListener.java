package io.headgate.keyed.ring;

import io.headgate.core.hits.HitAnswer;
import io.headgate.core.hits.HitRequest;
import io.headgate.keyed.ring.bucket.HitKey;

/** Hears of every request that this node counts as the owner of its key. */
@FunctionalInterface
public interface RingListener {

  /** Does nothing. */
  RingListener NONE = (key, request, answer) -> {};

  /**
   * Called once for each, on the thread that counted it, so it must be quick. What it throws goes
   * to the thread's handler of uncaught exceptions and changes no answer.
   */
  void counted(HitKey key, HitRequest request, HitAnswer answer);

  /** Tells this listener, and keeps from the caller what it throws. */
  default void tell(HitKey key, HitRequest request, HitAnswer answer) {
    try {
      counted(key, request, answer);
    } catch (RuntimeException e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }
}
