package io.headgate.control.rules;

import java.util.function.Consumer;

/** Where rules come from. Safe for use by many threads. */
public interface RuleStore extends AutoCloseable {

  /** What the store holds now. */
  RuleSnapshot current();

  /**
   * Tells {@code listener} what the store holds: at once, on the calling thread, and on each change
   * of the rules or problems, on a thread of the store. The calls come one after the other, never
   * an older snapshot after a newer one. A listener must not block.
   */
  void subscribe(Consumer<RuleSnapshot> listener);

  /** Stops watching. No listener is called once this has returned. */
  @Override
  void close();
}
