package io.headgate.agent;

import java.util.concurrent.atomic.LongAdder;

/**
 * What one bucket counted at one level. Request threads add; the reporter alone takes what was
 * added since it last did. The sums only grow and are never reset, so that no count falls between
 * two reports.
 */
final class LevelCounts {

  private final LongAdder admitted = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder wouldDrop = new LongAdder();

  // Confined to the reporter.
  private long admittedTaken;
  private long droppedTaken;
  private long wouldDropTaken;

  void addAdmitted() {
    admitted.increment();
  }

  /** Counts a request as admitted or dropped. */
  void add(boolean passes) {
    (passes ? admitted : dropped).increment();
  }

  /** Counts a request that passes in either case. */
  void addInShadow(boolean passes) {
    (passes ? admitted : wouldDrop).increment();
  }

  /** Counts requests that were judged elsewhere. */
  void addAll(long admittedMore, long droppedMore, long wouldDropMore) {
    admitted.add(admittedMore);
    dropped.add(droppedMore);
    wouldDrop.add(wouldDropMore);
  }

  /** Passed with no objection; what would have been dropped is not among them. */
  long admitted() {
    return admitted.sum();
  }

  long dropped() {
    return dropped.sum();
  }

  long wouldDrop() {
    return wouldDrop.sum();
  }

  long offered() {
    return admitted.sum() + dropped.sum() + wouldDrop.sum();
  }

  /** What was offered up to the last time that counts were taken. */
  long offeredTaken() {
    return admittedTaken + droppedTaken + wouldDropTaken;
  }

  long takeAdmitted() {
    long sum = admitted.sum();
    long taken = sum - admittedTaken;
    admittedTaken = sum;
    return taken;
  }

  long takeDropped() {
    long sum = dropped.sum();
    long taken = sum - droppedTaken;
    droppedTaken = sum;
    return taken;
  }

  long takeWouldDrop() {
    long sum = wouldDrop.sum();
    long taken = sum - wouldDropTaken;
    wouldDropTaken = sum;
    return taken;
  }
}
