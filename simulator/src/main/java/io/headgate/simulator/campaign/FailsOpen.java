package io.headgate.simulator.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A host to which no way leads from a controller lets everything pass once the time to live and the
 * ramp of its directives are over.
 */
final class FailsOpen implements Invariant {

  /** For messages that were on their way, and for the steps of the ramp. */
  static final double SLACK_SECONDS = 1.5;

  @Override
  public String name() {
    return "fails-open-after-ttl";
  }

  @Override
  public boolean isJudged(Moment moment) {
    return moment.hosts().stream()
        .anyMatch(host -> host.cutOffSeconds() >= host.openAfterSeconds() + SLACK_SECONDS);
  }

  @Override
  public List<String> violations(Moment moment) {
    List<String> found = new ArrayList<>();
    for (Moment.HostSecond host : moment.hosts()) {
      double open = host.openAfterSeconds() + SLACK_SECONDS;
      boolean openAllSecond = host.cutOffSeconds() >= open + 1;
      if ((host.cutOffSeconds() >= open && host.dropRatio() > 0)
          || (openAllSecond && host.dropped() > 0)) {
        found.add(
            String.format(
                Locale.ROOT,
                "%s: cut off for %.1f s, drop ratio %.3f, %d dropped (expected: open after %.1f s)",
                host.name(),
                host.cutOffSeconds(),
                host.dropRatio(),
                host.dropped(),
                open));
      }
    }
    return found;
  }
}
