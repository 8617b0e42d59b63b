package io.headgate.control.aggregator;

import io.micrometer.core.instrument.Counter;

/**
 * What clients have counted for one rule since the last {@link #publish()}. Plain numbers, because
 * a row of a report adds to them.
 */
final class RuleTally {

  private final Counter offeredTotal;
  private final Counter admittedTotal;
  private final Counter droppedTotal;
  private final Counter wouldDropTotal;
  private long offered;
  private long dropped;
  private long wouldDrop;

  RuleTally(Counter offered, Counter admitted, Counter dropped, Counter wouldDrop) {
    this.offeredTotal = offered;
    this.admittedTotal = admitted;
    this.droppedTotal = dropped;
    this.wouldDropTotal = wouldDrop;
  }

  void add(long offered, long dropped, long wouldDrop) {
    this.offered += offered;
    this.dropped += dropped;
    this.wouldDrop += wouldDrop;
  }

  void publish() {
    if (offered == 0) {
      return;
    }
    offeredTotal.increment(offered);
    admittedTotal.increment(offered - dropped);
    droppedTotal.increment(dropped);
    wouldDropTotal.increment(wouldDrop);
    offered = 0;
    dropped = 0;
    wouldDrop = 0;
  }
}
