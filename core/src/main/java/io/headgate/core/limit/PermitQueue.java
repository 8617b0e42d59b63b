package io.headgate.core.limit;

import io.headgate.core.time.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A queue of requests that wait for permits, of bounded length and without a thread. Safe for use
 * by many threads; the loop that is passed in is its clock and its timer.
 *
 * <p>The semantics are those of .NET's rate limiters: the bound counts permits, not requests, and
 * who is next in line is not overtaken by a smaller request behind it.
 *
 * @param <A> what a request is answered with, be it a grant or a denial
 */
public final class PermitQueue<A> implements AutoCloseable {

  /** The wait of a denial after which nobody knows when permits come: {@link #wake} tells. */
  public static final long UNKNOWN = -1;

  /**
   * Where the permits come from.
   *
   * @param <A> its answers
   */
  public interface Source<A> {

    /**
     * Takes permits or denies them, at once or later, but never waits for permits. It is called
     * under the lock of the queue.
     *
     * @param nowNanos the time on the loop of the queue
     */
    CompletionStage<A> ask(long cost, long nowNanos);

    /**
     * A denial of what was not asked for.
     *
     * @param ahead permits for which others wait before this request
     * @param closed whether no wait would help
     */
    A denial(long cost, long ahead, boolean closed, long nowNanos);

    /** Whether an answer is a grant. */
    boolean isGrant(A answer);

    /**
     * The wait of a denial in nanoseconds, {@link Decision#NEVER} or {@link PermitQueue#UNKNOWN}.
     */
    long retryAfterNanos(A denial);

    /** Undoes a grant that nobody took. */
    void giveBack(A grant, long cost, long askedAtNanos);
  }

  /*
   * Everything that changes is guarded by `queue`. Futures are completed outside of it, since what
   * hangs on them is other people's code. A timer is never cancelled: it finds what is due when it
   * fires, and that may be nothing. While an answer for the first in line is awaited, nobody else in
   * line is asked for.
   */

  private static final long NO_TIMER = Long.MAX_VALUE;

  private final Source<A> source;
  private final long queueLimit;
  private final QueueOrder order;
  private final EventLoop loop;
  private final Deque<Waiter> queue = new ArrayDeque<>();
  private long queued;
  private long timerAt = NO_TIMER;
  private boolean asking;
  private boolean closed;

  /**
   * @param source where the permits come from
   * @param queueLimit the most permits that are waited for at the same time, 0 or more
   * @param order who is served first
   * @param loop clock and timer
   * @throws IllegalArgumentException if the limit of the queue is out of range
   */
  public PermitQueue(Source<A> source, long queueLimit, QueueOrder order, EventLoop loop) {
    LimitBounds.range("queueLimit", queueLimit, 0, LimitBounds.MAX_PERMITS);
    this.source = source;
    this.queueLimit = queueLimit;
    this.order = order;
    this.loop = loop;
  }

  /**
   * Takes permits, at once or when they are there.
   *
   * <p>The future completes with a denial, at once, if the request is above the limit, the queue is
   * full or the wait would be longer than the timeout; and later if the timeout passes, a newer
   * request takes its place or the queue is closed. Cancelling it gives the place back, and the
   * permits if they were granted in the same instant.
   *
   * @param cost permits, 0 or more; 0 waits until a permit is there and takes none
   * @param timeoutNanos the longest wait; 0 or less waits for nothing
   * @throws IllegalArgumentException if the cost is negative
   */
  public CompletableFuture<A> acquireAsync(long cost, long timeoutNanos) {
    if (cost < 0) {
      throw new IllegalArgumentException("cost: " + cost + " (expected: 0 or more)");
    }
    List<Runnable> after = new ArrayList<>();
    Waiter waiter;
    synchronized (queue) {
      long now = loop.nanoTime();
      waiter = new Waiter(cost, now, timeoutNanos);
      if (closed) {
        deny(waiter, now, after);
      } else if (isBehindOthers()) {
        join(waiter, source.denial(cost, queued, false, now), now, after);
      } else {
        ask(waiter, now, after);
      }
    }
    after.forEach(Runnable::run);
    return waiter;
  }

  /** Permits that are waited for. */
  public long queued() {
    synchronized (queue) {
      return queued;
    }
  }

  /** Serves those who wait as far as there are permits: for who knows that some came back. */
  public void wake() {
    synchronized (queue) {
      if (queue.isEmpty()) {
        return;
      }
      long now = loop.nanoTime();
      queue.forEach(waiter -> waiter.askAfter(0, now));
    }
    loop.execute(this::serveAndExpire); // not here: who is served may give permits back in turn
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

  private boolean isBehindOthers() {
    return order == QueueOrder.OLDEST_FIRST && !queue.isEmpty();
  }

  private void ask(Waiter waiter, long now, List<Runnable> after) {
    CompletableFuture<A> asked = asked(waiter, now);
    if (asked.isDone()) {
      asked.whenComplete((answer, failure) -> answered(waiter, answer, failure, now, after));
      return;
    }
    asked.whenComplete(
        (answer, failure) -> {
          List<Runnable> later = new ArrayList<>();
          synchronized (queue) {
            answered(waiter, answer, failure, now, later);
          }
          later.forEach(Runnable::run);
        });
  }

  /** What a source throws fails the request and not the queue. */
  private CompletableFuture<A> asked(Waiter waiter, long now) {
    try {
      return source.ask(waiter.cost, now).toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void answered(
      Waiter waiter, A answer, @Nullable Throwable failure, long askedAt, List<Runnable> after) {
    if (failure != null) {
      after.add(() -> waiter.completeExceptionally(failure));
    } else {
      answered(waiter, answer, askedAt, after);
    }
  }

  private void answered(Waiter waiter, A answer, long askedAt, List<Runnable> after) {
    long now = loop.nanoTime();
    if (source.isGrant(answer)) {
      after.add(() -> waiter.grant(answer, askedAt));
    } else if (closed) {
      deny(waiter, now, after);
    } else if (isBehindOthers()) { // who began to wait while this answer was on its way
      join(waiter, source.denial(waiter.cost, queued, false, now), now, after);
    } else {
      join(waiter, answer, now, after);
    }
  }

  private void join(Waiter waiter, A denial, long now, List<Runnable> after) {
    long wait = source.retryAfterNanos(denial);
    boolean waits = wait != Decision.NEVER && waiter.isPatient(wait, now) && hasRoom(waiter.cost);
    if (!waits) {
      after.add(() -> waiter.complete(denial));
      return;
    }
    while (queued + waiter.cost > queueLimit) {
      deny(queue.getFirst(), now, after);
    }
    waiter.askAfter(isBehindOthers() ? 0 : wait, now); // behind others it is not asked for at all
    queue.addLast(waiter);
    queued += waiter.cost;
    // Registered last: a waiter that was cancelled meanwhile is removed at once.
    waiter.whenComplete((answer, failure) -> giveUp(waiter));
    wakeInTime(now);
  }

  private boolean hasRoom(long cost) {
    return order == QueueOrder.NEWEST_FIRST ? cost <= queueLimit : queued + cost <= queueLimit;
  }

  private void timerFires() {
    synchronized (queue) {
      timerAt = NO_TIMER;
    }
    serveAndExpire();
  }

  /** Serves who is next while there are permits, and denies whose time is over. */
  private void serveAndExpire() {
    List<Runnable> after = new ArrayList<>();
    synchronized (queue) {
      proceed(loop.nanoTime(), after);
    }
    after.forEach(Runnable::run);
  }

  private void proceed(long now, List<Runnable> after) {
    serve(now, after);
    for (Waiter waiter : List.copyOf(queue)) {
      if (waiter.deadline - now <= 0) {
        deny(waiter, now, after);
      }
    }
    serve(now, after); // who is gone may have stood in the way
    wakeInTime(now);
  }

  private void serve(long now, List<Runnable> after) {
    while (!asking && !queue.isEmpty() && next().isDue(now)) {
      Waiter next = next();
      CompletableFuture<A> asked = asked(next, now);
      if (asked.isCompletedExceptionally()) {
        remove(next);
        after.add(() -> asked.whenComplete((none, failure) -> next.completeExceptionally(failure)));
        continue;
      }
      if (!asked.isDone()) {
        asking = true;
        asked.whenComplete((answer, failure) -> resume(next, answer, failure, now));
        return;
      }
      if (!served(next, asked.join(), now, now, after)) {
        return;
      }
    }
  }

  /** Whether it is no longer in line. */
  private boolean served(Waiter next, A answer, long askedAt, long now, List<Runnable> after) {
    if (!source.isGrant(answer)) {
      long wait = source.retryAfterNanos(answer);
      if (wait == Decision.NEVER) { // its limit was lowered
        remove(next);
        after.add(() -> next.complete(answer));
        return true;
      }
      next.askAfter(wait, now);
      return false;
    }
    remove(next);
    after.add(() -> next.grant(answer, askedAt));
    return true;
  }

  /** The answer for the first in line came later. */
  private void resume(Waiter next, A answer, @Nullable Throwable failure, long askedAt) {
    List<Runnable> after = new ArrayList<>();
    synchronized (queue) {
      asking = false;
      long now = loop.nanoTime();
      if (failure != null) {
        remove(next);
        after.add(() -> next.completeExceptionally(failure));
      } else {
        served(next, answer, askedAt, now, after);
      }
      proceed(now, after);
    }
    after.forEach(Runnable::run);
  }

  private Waiter next() {
    return order == QueueOrder.OLDEST_FIRST ? queue.getFirst() : queue.getLast();
  }

  private void deny(Waiter waiter, long now, List<Runnable> after) {
    remove(waiter);
    A denial = source.denial(waiter.cost, 0, closed, now);
    after.add(() -> waiter.complete(denial));
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
    long wait = asking ? Long.MAX_VALUE : next().untilDue(now);
    for (Waiter waiter : queue) {
      wait = Math.min(wait, waiter.deadline - now);
    }
    long at = now + Math.max(wait, 1);
    if (timerAt == NO_TIMER || at - timerAt < 0) {
      timerAt = at;
      loop.schedule(at - now, this::timerFires);
    }
  }

  private void giveUp(Waiter waiter) {
    boolean waited;
    synchronized (queue) {
      waited = remove(waiter);
    }
    if (waited) {
      loop.execute(this::serveAndExpire); // it may have stood in the way of others
    }
  }

  private final class Waiter extends CompletableFuture<A> {

    private final long cost;
    private final long deadline;
    private final boolean waits;

    /** When to ask for it, unless only {@link PermitQueue#wake} can tell. */
    private long askAt;

    private boolean untold;

    Waiter(long cost, long now, long timeoutNanos) {
      this.cost = cost;
      waits = timeoutNanos > 0;
      deadline = now + Math.min(timeoutNanos, LimitBounds.MAX_TIME.toNanos());
    }

    boolean isPatient(long wait, long now) {
      return waits && wait <= deadline - now;
    }

    void askAfter(long wait, long now) {
      untold = wait == UNKNOWN;
      askAt = now + wait;
    }

    boolean isDue(long now) {
      return untilDue(now) <= 0;
    }

    long untilDue(long now) {
      return untold ? Long.MAX_VALUE : askAt - now;
    }

    /** Whoever cancelled in the same instant does not keep the permits. */
    void grant(A answer, long askedAt) {
      if (!complete(answer)) {
        source.giveBack(answer, cost, askedAt);
        wake();
      }
    }
  }
}
