package io.headgate.core.limit;

import io.headgate.core.time.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A limiter for which requests can wait, in a {@link PermitQueue}. Safe for use by many threads;
 * the loop that is passed in is its clock and its timer.
 */
public final class WaitingLimiter implements AutoCloseable {

  private final PermitQueue<Decision> queue;

  /**
   * @param limiter whose permits are waited for; its times are those of the loop
   * @param queueLimit the most permits that are waited for at the same time, 0 or more
   * @param order who is served first
   * @param loop clock and timer
   * @throws IllegalArgumentException if the limit of the queue is out of range
   */
  public WaitingLimiter(Limiter limiter, long queueLimit, QueueOrder order, EventLoop loop) {
    queue = new PermitQueue<>(new Permits(limiter, loop), queueLimit, order, loop);
  }

  /**
   * Takes permits at once or not at all. Those that wait longest come first if the order says so.
   */
  public Decision tryAcquire(long cost) {
    return acquireAsync(cost, 0).join();
  }

  /**
   * Takes permits, at once or when they are there: see {@link PermitQueue#acquireAsync}.
   *
   * @throws IllegalArgumentException if the cost is negative
   */
  public CompletableFuture<Decision> acquireAsync(long cost, long timeoutNanos) {
    return queue.acquireAsync(cost, timeoutNanos);
  }

  /** Permits that are waited for. */
  public long queued() {
    return queue.queued();
  }

  /** Denies all that wait and all that come later. */
  @Override
  public void close() {
    queue.close();
  }

  private record Permits(Limiter limiter, EventLoop loop) implements PermitQueue.Source<Decision> {

    @Override
    public CompletionStage<Decision> ask(long cost, long nowNanos) {
      return CompletableFuture.completedFuture(limiter.acquire(cost, nowNanos));
    }

    @Override
    public Decision denial(long cost, long ahead, boolean closed, long nowNanos) {
      boolean hopeless = closed || cost > limiter.limit().limit();
      long wait = hopeless ? Decision.NEVER : limiter.waitFor(Math.max(cost, 1) + ahead, nowNanos);
      return new Decision(
          false,
          limiter.limit().limit(),
          limiter.available(nowNanos),
          limiter.resetAt(nowNanos),
          wait);
    }

    @Override
    public boolean isGrant(Decision answer) {
      return answer.allowed();
    }

    @Override
    public long retryAfterNanos(Decision denial) {
      return denial.retryAfterNanos();
    }

    @Override
    public void giveBack(Decision grant, long cost, long askedAtNanos) {
      limiter.refund(cost, askedAtNanos, loop.nanoTime());
    }
  }
}
