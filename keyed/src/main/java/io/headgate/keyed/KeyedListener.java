package io.headgate.keyed;

import java.util.List;

/** Hears of every decision. */
@FunctionalInterface
public interface KeyedListener {

  /** Does nothing. */
  KeyedListener NONE = (hits, decision) -> {};

  /**
   * Called once for each decision, on the thread that made it, so it must be quick. What it throws
   * goes to the thread's handler of uncaught exceptions and changes no decision.
   */
  void decided(List<Hit> hits, KeyedDecision decision);

  /** Tells this listener, and keeps from the caller what it throws. */
  default void tell(List<Hit> hits, KeyedDecision decision) {
    try {
      decided(hits, decision);
    } catch (RuntimeException e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  /** A listener that tells this one and then the other. */
  default KeyedListener and(KeyedListener other) {
    return (hits, decision) -> {
      tell(hits, decision);
      other.tell(hits, decision);
    };
  }
}
