package io.headgate.core.limit;

import io.headgate.core.time.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A limiter for which requests can wait, in a queue of bounded length and without a thread. Safe
 * for use by many threads; the loop that is passed in is its clock and its timer.
 *
 * <p>The semantics of the queue are those of .NET's rate limiters: its bound counts permits, not
 * requests, and who is next in line is not overtaken by a smaller request behind it.
 */
public final class WaitingLimiter implements AutoCloseable {

  /*
   * Everything that changes is guarded by `queue`. Futures are completed outside of it, since what
   * hangs on them is other people's code. A timer is never cancelled: it finds what is due when it
   * fires, and that may be nothing.
   */

  private static final long NO_TIMER = Long.MAX_VALUE;

  private final Limiter limiter;
  private final long queueLimit;
  private final QueueOrder order;
  private final EventLoop loop;
  private final Deque<Waiter> queue = new ArrayDeque<>();
  private long queued;
  private long timerAt = NO_TIMER;
  private boolean closed;

  /**
   * @param limiter whose permits are waited for; its times are those of the loop
   * @param queueLimit the most permits that are waited for at the same time, 0 or more
   * @param order who is served first
   * @param loop clock and timer
   * @throws IllegalArgumentException if the limit of the queue is out of range
   */
  public WaitingLimiter(Limiter limiter, long queueLimit, QueueOrder order, EventLoop loop) {
    LimitBounds.range("queueLimit", queueLimit, 0, LimitBounds.MAX_PERMITS);
    this.limiter = limiter;
    this.queueLimit = queueLimit;
    this.order = order;
    this.loop = loop;
  }

  /**
   * Takes permits at once or not at all. Those that wait longest come first if the order says so.
   */
  public Decision tryAcquire(long cost) {
    synchronized (queue) {
      return attempt(cost, loop.nanoTime());
    }
  }

  /**
   * Takes permits, at once or when they are there.
   *
   * <p>The future completes with a denial, at once, if the request is above the limit, the queue is
   * full or the wait would be longer than the timeout; and later if the timeout passes, a newer
   * request takes its place or the limiter is closed. Cancelling it gives the place back.
   *
   * @param cost permits, 0 or more; 0 waits until a permit is there and takes none
   * @param timeoutNanos the longest wait; 0 or less waits for nothing
   * @throws IllegalArgumentException if the cost is negative
   */
  public CompletableFuture<Decision> acquireAsync(long cost, long timeoutNanos) {
    List<Runnable> after = new ArrayList<>();
    CompletableFuture<Decision> answer;
    synchronized (queue) {
      answer = attemptOrQueue(cost, timeoutNanos, after);
    }
    after.forEach(Runnable::run);
    return answer;
  }

  /** Permits that are waited for. */
  public long queued() {
    synchronized (queue) {
      return queued;
    }
  }

  /** Denies all that wait and all that come later. */
  @Override
  public void close() {
    List<Runnable> after = new ArrayList<>();
    synchronized (queue) {
      closed = true;
      long now = loop.nanoTime();
      while (!queue.isEmpty()) {
        deny(queue.getFirst(), now, after);
      }
    }
    after.forEach(Runnable::run);
  }

  private Decision attempt(long cost, long now) {
    if (closed || (!queue.isEmpty() && order == QueueOrder.OLDEST_FIRST)) {
      return denial(cost, queued, now);
    }
    return limiter.acquire(cost, now);
  }

  private Decision denial(long cost, long ahead, long now) {
    boolean hopeless = closed || cost > limiter.limit().limit();
    long wait = hopeless ? Decision.NEVER : limiter.waitFor(Math.max(cost, 1) + ahead, now);
    return new Decision(
        false, limiter.limit().limit(), limiter.available(now), limiter.resetAt(now), wait);
  }

  private CompletableFuture<Decision> attemptOrQueue(
      long cost, long timeoutNanos, List<Runnable> after) {
    long now = loop.nanoTime();
    Decision decision = attempt(cost, now);
    boolean queues =
        !decision.allowed()
            && !decision.isHopeless()
            && decision.retryAfterNanos() <= timeoutNanos
            && hasRoom(cost);
    if (!queues) {
      return CompletableFuture.completedFuture(decision);
    }
    while (queued + cost > queueLimit) {
      deny(queue.getFirst(), now, after);
    }
    Waiter waiter = new Waiter(cost, now + Math.min(timeoutNanos, LimitBounds.MAX_TIME.toNanos()));
    waiter.whenComplete(
        (answer, failure) -> giveUp(waiter)); // if others complete it, by cancelling
    queue.addLast(waiter);
    queued += cost;
    wakeInTime(now);
    return waiter;
  }

  private boolean hasRoom(long cost) {
    return order == QueueOrder.NEWEST_FIRST ? cost <= queueLimit : queued + cost <= queueLimit;
  }

  /** Serves who is next while there are permits, and denies whose time is over. */
  private void wake() {
    List<Runnable> after = new ArrayList<>();
    synchronized (queue) {
      long now = loop.nanoTime();
      timerAt = NO_TIMER;
      serve(now, after);
      for (Waiter waiter : List.copyOf(queue)) {
        if (waiter.deadline - now <= 0) {
          deny(waiter, now, after);
        }
      }
      serve(now, after); // who is gone may have stood in the way
      wakeInTime(now);
    }
    after.forEach(Runnable::run);
  }

  private void serve(long now, List<Runnable> after) {
    while (!queue.isEmpty()) {
      Waiter next = next();
      Decision decision = limiter.acquire(next.cost, now);
      if (!decision.allowed()) {
        return;
      }
      remove(next);
      after.add(() -> next.grant(decision, now));
    }
  }

  private Waiter next() {
    return order == QueueOrder.OLDEST_FIRST ? queue.getFirst() : queue.getLast();
  }

  private void deny(Waiter waiter, long now, List<Runnable> after) {
    remove(waiter);
    Decision decision = denial(waiter.cost, 0, now);
    after.add(() -> waiter.complete(decision));
  }

  /** Whether the waiter was still there. */
  private boolean remove(Waiter waiter) {
    boolean waited = queue.remove(waiter);
    if (waited) {
      queued -= waiter.cost;
    }
    return waited;
  }

  private void wakeInTime(long now) {
    if (queue.isEmpty()) {
      return;
    }
    long wait = limiter.waitFor(Math.max(next().cost, 1), now);
    for (Waiter waiter : queue) {
      wait = Math.min(wait, waiter.deadline - now);
    }
    long at = now + Math.max(wait, 1);
    if (timerAt == NO_TIMER || at - timerAt < 0) {
      timerAt = at;
      loop.schedule(at - now, this::wake);
    }
  }

  private void giveUp(Waiter waiter) {
    boolean waited;
    synchronized (queue) {
      waited = remove(waiter);
    }
    if (waited) {
      loop.execute(this::wake); // it may have stood in the way of others
    }
  }

  private final class Waiter extends CompletableFuture<Decision> {

    private final long cost;
    private final long deadline;

    Waiter(long cost, long deadline) {
      this.cost = cost;
      this.deadline = deadline;
    }

    /** Whoever cancelled in the same instant does not keep the permits. */
    void grant(Decision decision, long takenAt) {
      if (!complete(decision)) {
        limiter.refund(cost, takenAt, loop.nanoTime());
        loop.execute(WaitingLimiter.this::wake);
      }
    }
  }
}
