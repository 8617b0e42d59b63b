package io.headgate.core.limit;

import io.headgate.core.time.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A limit of what is in use at the same time, for which requests can wait in a {@link PermitQueue}.
 * Safe for use by many threads.
 *
 * <p>How long a wait takes is up to those who hold the permits, so none fails for being too long
 * before its timeout has passed.
 */
public final class WaitingConcurrencyLimiter implements AutoCloseable {

  private final PermitQueue<Lease> queue;

  /**
   * @param limiter whose permits are waited for; it may be used directly too, which overtakes the
   *     queue. Only one queue can be before it.
   * @param queueLimit the most permits that are waited for at the same time, 0 or more
   * @param order who is served first
   * @param loop clock and timer
   * @throws IllegalArgumentException if the limit of the queue is out of range
   */
  public WaitingConcurrencyLimiter(
      ConcurrencyLimiter limiter, long queueLimit, QueueOrder order, EventLoop loop) {
    queue = new PermitQueue<>(new Leases(limiter), queueLimit, order, loop);
    limiter.tell(queue::wake);
  }

  /**
   * Takes permits, at once or when others give theirs back: see {@link PermitQueue#acquireAsync}.
   *
   * @throws IllegalArgumentException if the cost is negative
   */
  public CompletableFuture<Lease> acquireAsync(long cost, long timeoutNanos) {
    return queue.acquireAsync(cost, timeoutNanos);
  }

  /** Permits that are waited for. */
  public long queued() {
    return queue.queued();
  }

  /** Denies all that wait and all that come later; what is in use stays so. */
  @Override
  public void close() {
    queue.close();
  }

  /** The answer to a request: permits to give back by closing, or none. */
  public static final class Lease implements AutoCloseable {

    private static final Lease DENIED = new Lease(null, false);
    private static final Lease HOPELESS = new Lease(null, true);

    private final ConcurrencyLimiter.@Nullable Permits permits;
    private final boolean hopeless;

    private Lease(ConcurrencyLimiter.@Nullable Permits permits, boolean hopeless) {
      this.permits = permits;
      this.hopeless = hopeless;
    }

    /** Whether the permits were taken. */
    public boolean isGranted() {
      return permits != null;
    }

    /** Gives the permits back, if there are any and once. Any thread may call it. */
    @Override
    public void close() {
      if (permits != null) {
        permits.close();
      }
    }
  }

  private record Leases(ConcurrencyLimiter limiter) implements PermitQueue.Source<Lease> {

    @Override
    public CompletionStage<Lease> ask(long cost, long nowNanos) {
      ConcurrencyLimiter.Permits permits = limiter.tryAcquire(cost);
      return CompletableFuture.completedFuture(
          permits == null ? denial(cost, 0, false, nowNanos) : new Lease(permits, false));
    }

    @Override
    public Lease denial(long cost, long ahead, boolean closed, long nowNanos) {
      return closed || cost > limiter.limit() ? Lease.HOPELESS : Lease.DENIED;
    }

    @Override
    public boolean isGrant(Lease answer) {
      return answer.isGranted();
    }

    @Override
    public long retryAfterNanos(Lease denial) {
      return denial.hopeless ? Decision.NEVER : PermitQueue.UNKNOWN;
    }

    @Override
    public void giveBack(Lease grant, long cost, long askedAtNanos) {
      grant.close();
    }
  }
}
