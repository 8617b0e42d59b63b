package io.headgate.keyed.ring;

import io.headgate.protocol.gubernator.GetPeerRateLimitsResp;
import io.headgate.protocol.ring.v1.BatchId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The answers to the batches of the last moments, so that one that comes again because its answer
 * was lost gets the same answer and counts once.
 */
final class RecentBatches {

  private static final int PARTS = 16;

  private final Part[] parts = new Part[PARTS];
  private final long keepMillis;

  private record Entry(BatchId id, long at) {}

  private static final class Part {
    final Map<BatchId, CompletableFuture<GetPeerRateLimitsResp>> answers = new HashMap<>();
    final ArrayDeque<Entry> order = new ArrayDeque<>();
  }

  /**
   * Creates an empty one.
   *
   * @param keepMillis how long answers are kept: as long as a sender may try again
   */
  RecentBatches(long keepMillis) {
    this.keepMillis = keepMillis;
    for (int i = 0; i < PARTS; i++) {
      parts[i] = new Part();
    }
  }

  /**
   * Begins a batch.
   *
   * @param answer completed by the caller, if the batch is new
   * @return null if the batch is new; else its answer
   */
  @Nullable CompletableFuture<GetPeerRateLimitsResp> begin(
      BatchId id, CompletableFuture<GetPeerRateLimitsResp> answer, long nowMillis) {
    Part part = parts[(int) (id.getSender() ^ id.getNumber()) & PARTS - 1];
    synchronized (part) {
      while (!part.order.isEmpty() && part.order.peekFirst().at() < nowMillis - keepMillis) {
        part.answers.remove(part.order.pollFirst().id());
      }
      CompletableFuture<GetPeerRateLimitsResp> before = part.answers.putIfAbsent(id, answer);
      if (before == null) {
        part.order.addLast(new Entry(id, nowMillis));
      }
      return before;
    }
  }
}
