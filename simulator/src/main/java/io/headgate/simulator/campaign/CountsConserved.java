package io.headgate.simulator.campaign;

import java.util.ArrayList;
import java.util.List;

/**
 * No request is lost or counted twice: what a host's buckets judged they admitted or dropped, each
 * request that its caller saw dropped was dropped by one bucket, and what its agent reports is what
 * its buckets judged, all of it once settled and nothing before it is counted.
 */
final class CountsConserved implements Invariant {

  @Override
  public String name() {
    return "counts-conserved";
  }

  @Override
  public boolean isJudged(Moment moment) {
    return moment.hosts().stream().anyMatch(host -> host.ledger().bucketsOffered() > 0);
  }

  @Override
  public List<String> violations(Moment moment) {
    List<String> found = new ArrayList<>();
    for (Moment.HostSecond host : moment.hosts()) {
      Moment.Ledger ledger = host.ledger();
      long settled = ledger.bucketsAdmitted() + ledger.bucketsDropped();
      if (ledger.bucketsOffered() != settled) {
        found.add(
            host.name()
                + (": " + ledger.bucketsOffered() + " offered, " + ledger.bucketsAdmitted())
                + (" admitted and " + ledger.bucketsDropped() + " dropped"));
      }
      if (ledger.dropped() != ledger.bucketsDropped()) {
        found.add(
            host.name()
                + (": the caller saw " + ledger.dropped() + " requests dropped, its buckets ")
                + ledger.bucketsDropped());
      }
      if (ledger.reported() > ledger.bucketsOffered()
          || (host.settled() && ledger.reported() < ledger.countedBefore())) {
        found.add(
            host.name()
                + (": " + ledger.reported() + " reported (expected: " + ledger.countedBefore())
                + (" to " + ledger.bucketsOffered() + ")"));
      }
    }
    return found;
  }
}
