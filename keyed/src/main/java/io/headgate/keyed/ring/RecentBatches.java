package io.headgate.keyed.ring;

import io.headgate.protocol.ring.v1.BatchId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The answers to the batches of the last moments, so that one that comes again because its answer
 * was lost gets the same answer and counts once.
 *
 * @param <A> an answer
 */
final class RecentBatches<A> {

  private static final int PARTS = 16;

  private final List<Part<A>> parts;
  private final long keepMillis;

  private record Entry(BatchId id, long at) {}

  private static final class Part<A> {
    final Map<BatchId, A> answers = new HashMap<>();
    final ArrayDeque<Entry> order = new ArrayDeque<>();
  }

  /**
   * Creates an empty one.
   *
   * @param keepMillis how long answers are kept: as long as a sender may try again
   */
  RecentBatches(long keepMillis) {
    this.keepMillis = keepMillis;
    parts = Stream.generate(Part<A>::new).limit(PARTS).toList();
  }

  /**
   * Begins a batch.
   *
   * @param answer what it is answered with if it is new
   * @return null if the batch is new; else the answer that it had before
   */
  @Nullable A begin(BatchId id, A answer, long nowMillis) {
    Part<A> part = parts.get((int) (id.getSender() ^ id.getNumber()) & PARTS - 1);
    synchronized (part) {
      while (!part.order.isEmpty() && part.order.peekFirst().at() < nowMillis - keepMillis) {
        part.answers.remove(part.order.pollFirst().id());
      }
      A before = part.answers.putIfAbsent(id, answer);
      if (before == null) {
        part.order.addLast(new Entry(id, nowMillis));
      }
      return before;
    }
  }
}
