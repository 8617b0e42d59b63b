package io.headgate.server.demo.sample;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What became of calls, as their callers see it. */
public final class CallOutcomes {

  private final LongAdder answered = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();

  void answered() {
    answered.increment();
  }

  void dropped() {
    dropped.increment();
  }

  void failed(String reason) {
    failed.increment();
    firstFailure.compareAndSet(null, reason);
  }

  /** Calls that were answered. */
  public long answeredCalls() {
    return answered.sum();
  }

  /** Calls that a rule dropped before they were sent. */
  public long droppedCalls() {
    return dropped.sum();
  }

  /** Calls that failed for another reason. */
  public long failedCalls() {
    return failed.sum();
  }

  /** Why the first of the failed calls did; null if there is none. */
  public @Nullable String firstFailure() {
    return firstFailure.get();
  }
}
