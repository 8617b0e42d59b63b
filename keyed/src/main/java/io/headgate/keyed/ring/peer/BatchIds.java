package io.headgate.keyed.ring.peer;

import io.headgate.protocol.ring.v1.BatchId;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Numbers the batches of a sender, so that a receiver knows one that comes again. */
public final class BatchIds {

  private final long sender;
  private final AtomicLong last = new AtomicLong();

  /** A sender of its own, with a name that nobody else has drawn. */
  public BatchIds(RandomGenerator random) {
    sender = random.nextLong();
  }

  /** The id of the next batch. */
  public BatchId next() {
    return BatchId.newBuilder().setSender(sender).setNumber(last.incrementAndGet()).build();
  }

  /** The name of this sender. */
  public long sender() {
    return sender;
  }
}
