package io.headgate.keyed;

import io.headgate.core.limit.Decision;
import io.headgate.core.limit.PermitQueue;
import io.headgate.core.limit.QueueOrder;
import io.headgate.core.time.EventLoop;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests wait for the permits of a key, over any keyed limiter and without a thread. Each
 * key has a {@link PermitQueue} of its own, for as long as somebody waits in it.
 *
 * <p>The limiter is asked, and its listener told, under the lock of the key's queue: a listener
 * must not ask for the same key.
 *
 * <p>The queues are those of this process: over a store that several processes share, who waits in
 * one of them may be overtaken by a request in another.
 */
public final class WaitingKeyedLimiter implements AutoCloseable {

  private record Place(String name, String key) {}

  private record Denied(KeyedDecision decision, long untilNanos) {}

  private final ConcurrentMap<Place, KeyQueue> queues = new ConcurrentHashMap<>();
  private final KeyedLimiter limiter;
  private final long queueLimit;
  private final QueueOrder order;
  private final EventLoop loop;
  private volatile boolean closed;

  /**
   * @param limiter whose permits are waited for
   * @param queueLimit the most permits that are waited for at the same time, for each key; 0 or
   *     more
   * @param order who is served first
   * @param loop clock and timer
   * @throws IllegalArgumentException if the limit of the queue is out of range
   */
  public WaitingKeyedLimiter(
      KeyedLimiter limiter, long queueLimit, QueueOrder order, EventLoop loop) {
    this.limiter = limiter;
    this.queueLimit = queueLimit;
    this.order = order;
    this.loop = loop;
    new KeyQueue(new Place("", "")).queue.close(); // says at once if the limit is out of range
  }

  /**
   * Waiting in real time.
   *
   * @param timer an executor of the application's, which is not closed here; what hangs on the
   *     futures runs on it
   * @throws IllegalArgumentException if the limit of the queue is out of range
   */
  public static WaitingKeyedLimiter of(
      KeyedLimiter limiter, long queueLimit, QueueOrder order, ScheduledExecutorService timer) {
    return new WaitingKeyedLimiter(limiter, queueLimit, order, new ExecutorLoop(timer));
  }

  /**
   * Takes permits of a key, at once or when they are there: see {@link PermitQueue#acquireAsync}.
   *
   * <p>That the wait would be longer than the timeout shows at once where the limiter knows the
   * wait of those ahead too, as {@link io.headgate.keyed.local.LocalKeyedLimiter} does; else as far
   * as the key's last denial says.
   *
   * @param cost permits, 0 or more; 0 waits until a permit is there and takes none
   * @param timeoutNanos the longest wait; 0 or less waits for nothing
   * @throws IllegalArgumentException if the cost is negative
   */
  public CompletableFuture<KeyedDecision> acquireAsync(
      NamedLimit limit, String key, long cost, long timeoutNanos) {
    Place place = new Place(limit.name(), key);
    KeyQueue entered =
        queues.compute(
            place, (same, present) -> (present == null ? new KeyQueue(place) : present).enter());
    try {
      CompletableFuture<Charge> charge = entered.acquire(limit, cost, timeoutNanos);
      charge.whenComplete((answer, failure) -> leave(place));
      return decisionOf(charge);
    } catch (RuntimeException e) {
      leave(place);
      throw e;
    }
  }

  /** Permits of a key that are waited for. */
  public long queued(NamedLimit limit, String key) {
    KeyQueue queue = queues.get(new Place(limit.name(), key));
    return queue == null ? 0 : queue.queue.queued();
  }

  /** Keys for which somebody waits or asks. */
  public int queues() {
    return queues.size();
  }

  /** Denies all that wait and all that come later. The limiter stays open. */
  @Override
  public void close() {
    closed = true;
    queues.values().forEach(each -> each.queue.close());
  }

  private void leave(Place place) {
    queues.computeIfPresent(place, (same, present) -> present.leave() ? null : present);
  }

  /**
   * Cancelling what the caller holds cancels the request, and a grant in that instant is undone.
   */
  private static CompletableFuture<KeyedDecision> decisionOf(CompletableFuture<Charge> charge) {
    CompletableFuture<KeyedDecision> decision = new CompletableFuture<>();
    charge.whenComplete(
        (answer, failure) -> {
          if (failure != null) {
            decision.completeExceptionally(failure);
          } else if (!decision.complete(answer.decision()) && answer.decision().allowed()) {
            answer.giveBack().run();
          }
        });
    decision.whenComplete((answer, failure) -> charge.cancel(false));
    return decision;
  }

  private final class KeyQueue implements PermitQueue.Source<Charge> {

    private final PermitQueue<Charge> queue = new PermitQueue<>(this, queueLimit, order, loop);
    private final String key;

    /** Requests that are not answered yet; guarded by the map. */
    private int inside;

    /** As the latest request has it: what is asked for from now on. */
    private volatile @Nullable NamedLimit limit;

    /** The latest that is known of the key. */
    private volatile @Nullable Denied denied;

    KeyQueue(Place place) {
      key = place.key;
    }

    KeyQueue enter() {
      inside++;
      return this;
    }

    boolean leave() {
      inside--;
      return inside == 0;
    }

    CompletableFuture<Charge> acquire(NamedLimit wanted, long cost, long timeoutNanos) {
      limit = wanted;
      if (closed) {
        queue.close();
      }
      return queue.acquireAsync(cost, timeoutNanos);
    }

    private NamedLimit limit() {
      NamedLimit latest = limit;
      if (latest == null) {
        throw new IllegalStateException("asked before a request came");
      }
      return latest;
    }

    @Override
    public CompletionStage<Charge> ask(long cost, long nowNanos) {
      return limiter
          .charge(List.of(new Hit(limit(), key, cost)))
          .thenApply(
              answer -> {
                long wait = answer.decision().decision().retryAfterNanos();
                denied =
                    isGrant(answer) || wait == Decision.NEVER
                        ? null
                        : new Denied(answer.decision(), loop.nanoTime() + wait);
                return answer;
              });
    }

    @Override
    public Charge denial(long cost, long ahead, boolean noWaitHelps, long nowNanos) {
      NamedLimit asked = limit();
      Denied known = denied;
      long most = asked.limit().limit();
      long wait = Decision.NEVER;
      if (!noWaitHelps && cost <= most) {
        long least = limiter.leastWaitNanos(asked, key, Math.max(cost, 1) + ahead);
        wait = Math.max(Math.max(1, least), known == null ? 0 : known.untilNanos - nowNanos);
      }
      Decision decision =
          known == null
              ? new Decision(false, most, 0, nowNanos, wait)
              : known.decision.decision().waiting(wait);
      boolean degraded = known != null && known.decision.degraded();
      return new Charge(
          new KeyedDecision(false, asked, decision, false, List.of(decision), degraded),
          Charge.NOTHING);
    }

    @Override
    public boolean isGrant(Charge answer) {
      return answer.decision().allowed();
    }

    @Override
    public long retryAfterNanos(Charge answer) {
      return answer.decision().decision().retryAfterNanos();
    }

    @Override
    public void giveBack(Charge grant, long cost, long askedAtNanos) {
      grant.giveBack().run();
    }
  }
}
