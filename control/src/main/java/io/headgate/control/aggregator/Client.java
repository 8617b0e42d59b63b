package io.headgate.control.aggregator;

import org.jspecify.annotations.Nullable;

/** A client that reports: one start of one process. */
final class Client {

  /**
   * Who a client is. The service is a part of it, so that a client can never stand in for one of
   * another service.
   */
  record Id(String service, String clientId) {}

  private final Id id;
  private final Latch latch = new Latch();
  private long epoch;
  private long lastSequence;
  private boolean fresh;
  private boolean asking;
  private long reportedNanos;
  private long freshUntilNanos;
  private @Nullable AgentSession session;

  Client(Id id, long epoch) {
    this.id = id;
    this.epoch = epoch;
  }

  Id id() {
    return id;
  }

  long epoch() {
    return epoch;
  }

  /** The stream on which it reports, or null while it has none. */
  @Nullable AgentSession session() {
    return session;
  }

  void session(@Nullable AgentSession session) {
    this.session = session;
  }

  /** The process has started anew: what the one before it reported is over. */
  void restart(long epoch) {
    this.epoch = epoch;
    lastSequence = 0;
    fresh = false;
    latch.clear();
  }

  /** Whether it has asked what is in force, and what it offers is not known. */
  boolean isAsking() {
    return asking;
  }

  void asking(boolean asking) {
    this.asking = asking;
  }

  /** The sequence number of its last report, or 0. */
  long lastSequence() {
    return lastSequence;
  }

  /**
   * Its rates, to be replaced by those of a report; {@link #reported} says until when they hold.
   */
  Latch latch() {
    return latch;
  }

  void reported(long sequence, long nowNanos, long holdNanos) {
    lastSequence = sequence;
    fresh = true;
    reportedNanos = nowNanos;
    freshUntilNanos = nowNanos + holdNanos;
  }

  /** Lets its rates hold no longer than this. */
  void holdAtMost(long nowNanos, long holdNanos) {
    freshUntilNanos = Math.min(freshUntilNanos - nowNanos, holdNanos) + nowNanos;
  }

  /** Whether its last report still counts. */
  boolean isFresh() {
    return fresh;
  }

  void expire(long nowNanos) {
    if (fresh && freshUntilNanos - nowNanos <= 0) {
      fresh = false;
      latch.clear();
    }
  }

  /** How long ago its last report came. */
  long ageNanos(long nowNanos) {
    return nowNanos - reportedNanos;
  }
}
