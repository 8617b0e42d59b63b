package io.headgate.keyed.redis;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Ends answers that do not come in time. All have the same time, so those that are due stand first:
 * looking for them now and then costs a request far less than a timer of its own.
 */
final class Deadlines {

  private record Pending(CompletableFuture<?> answer, long deadline) {}

  private final Queue<Pending> pending = new ConcurrentLinkedQueue<>();
  private final Duration timeout;
  private final LongSupplier nanoClock;

  Deadlines(Duration timeout, LongSupplier nanoClock) {
    this.timeout = timeout;
    this.nanoClock = nanoClock;
  }

  /** Ends the answer if it is not there in time. */
  void watch(CompletableFuture<?> answer) {
    pending.add(new Pending(answer, nanoClock.getAsLong() + timeout.toNanos()));
  }

  /** Ends what is due, and forgets what is done. To be called by one thread at a time. */
  void sweep() {
    long now = nanoClock.getAsLong();
    Pending first = pending.peek();
    while (first != null && (first.answer.isDone() || first.deadline - now <= 0)) {
      pending.remove();
      if (!first.answer.isDone()) {
        first.answer.completeExceptionally(
            new TimeoutException("no answer of Redis in " + timeout.toMillis() + " ms"));
      }
      first = pending.peek();
    }
  }
}
