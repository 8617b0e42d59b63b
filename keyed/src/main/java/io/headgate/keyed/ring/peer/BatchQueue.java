package io.headgate.keyed.ring.peer;

import io.headgate.protocol.gubernator.RateLimitReq;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers requests for a peer. One batch is under way at a time, and what comes meanwhile makes the
 * next: batches are small while there is little to do, so that nobody waits, and large under load,
 * where a call more would cost more than the wait. A batch that is under way for long is not waited
 * for: see {@link #takeOverdue}. The more of them are under way, the longer the next one waits:
 * where answers are late because a machine has too much to do, more and smaller batches would give
 * it more.
 *
 * <p>The rule is Nagle's for small segments (RFC 896), with a bound on the wait.
 */
final class BatchQueue {

  /**
   * Calls of more than a mebibyte are refused; this leaves room for what is around the requests.
   */
  private static final int MAX_BYTES = 768 * 1024;

  private static final int MAX_DOUBLINGS = 5;

  private final int limit;
  private final long waitNanos;
  private List<Item> waiting = new ArrayList<>();
  private int waitingBytes;
  private int underWay;
  private boolean watched;

  /** A request, and where its answer goes. */
  record Item(RateLimitReq request, Replies replies, int place) {}

  /**
   * Creates an empty one.
   *
   * @param limit requests in a batch at most
   * @param waitNanos how long a request waits while one batch is under way
   */
  BatchQueue(int limit, long waitNanos) {
    this.limit = limit;
    this.waitNanos = waitNanos;
  }

  /** Adds a request; the batch to send at once if it is full. */
  synchronized @Nullable List<Item> add(Item item) {
    int size = item.request().getSerializedSize();
    List<Item> full = null;
    if (waiting.size() >= limit || !waiting.isEmpty() && waitingBytes + size > MAX_BYTES) {
      full = take();
    }
    waiting.add(item);
    waitingBytes += size;
    return full;
  }

  /** The batch to send if none is under way. */
  synchronized @Nullable List<Item> takeIfIdle() {
    return underWay == 0 && !waiting.isEmpty() ? take() : null;
  }

  /** The next batch, now that one is answered. */
  synchronized @Nullable List<Item> answered() {
    underWay--;
    return takeIfIdle();
  }

  /** The requests that have waited long enough. */
  synchronized @Nullable List<Item> takeOverdue() {
    watched = false;
    return waiting.isEmpty() ? null : take();
  }

  /** In how many nanoseconds {@link #takeOverdue} is to be called; negative if it is not. */
  synchronized long watchNanos() {
    if (waiting.isEmpty() || watched) {
      return -1;
    }
    watched = true;
    return waitNanos << Math.min(MAX_DOUBLINGS, Math.max(0, underWay - 1));
  }

  /** Requests that wait. */
  synchronized int size() {
    return waiting.size();
  }

  private List<Item> take() {
    List<Item> batch = waiting;
    waiting = new ArrayList<>(Math.min(limit, batch.size() * 2));
    waitingBytes = 0;
    underWay++;
    return batch;
  }
}
