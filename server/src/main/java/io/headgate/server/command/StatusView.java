package io.headgate.server.command;

import io.headgate.configurator.run.ConfiguratorStatus;
import io.headgate.configurator.run.RunReport;
import io.headgate.control.status.AggregatorStatus;
import io.headgate.control.status.BucketStatus;
import io.headgate.control.status.ControllerStatus;
import io.headgate.control.status.FileProblem;
import io.headgate.envoy.proxy.DataPlaneStatus;
import io.headgate.server.run.StatusReport;
import io.headgate.server.terminal.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A status as lines of text, none longer than 100 columns unless a file problem is. */
final class StatusView {

  private static final int NAME_WIDTH = 30;
  private static final int DOMAIN_WIDTH = 14;
  private static final int SERVICE_WIDTH = 20;

  private final int maxBuckets;
  private final List<String> lines = new ArrayList<>();

  private StatusView(int maxBuckets) {
    this.maxBuckets = maxBuckets;
  }

  /**
   * The lines for a server's status.
   *
   * @param address where it came from
   * @param maxBuckets how many buckets are shown, those with most demand first; 0 for all
   */
  static List<String> lines(String address, StatusReport report, int maxBuckets) {
    StatusView view = new StatusView(maxBuckets);
    view.lines.add(
        address
            + "  headgate "
            + report.version()
            + "  "
            + (report.ready() ? "ready" : "not ready: " + report.missing()));
    if (report.controller() != null) {
      view.controller(report.controller());
    }
    if (report.aggregator() != null) {
      view.aggregator(report.aggregator());
    }
    if (report.envoy() != null) {
      view.proxies(report.envoy());
    }
    if (report.configurator() != null) {
      view.configurator(report.configurator());
    }
    return view.lines;
  }

  private void configurator(ConfiguratorStatus status) {
    lines.add("");
    lines.add(
        "configurator %s  %s%s"
            .formatted(
                status.id(),
                status.running().isEmpty()
                    ? "idle"
                    : "computes because of %s, %.0f %% done"
                        .formatted(status.running(), 100 * status.progress()),
                status.next().isEmpty() ? "" : "  all limits next at " + status.next()));
    RunReport last = status.last();
    if (last != null) {
      lines.add(
          "  last run %s because of %s, %.1f s: %s, %,d of %s changed, %,d kept for want of a past"
              .formatted(
                  last.at(),
                  last.cause(),
                  last.seconds(),
                  last.result(),
                  last.changes(),
                  count(last.limits(), "limit"),
                  last.kept()));
    }
    if (status.drifted() > 0) {
      lines.add("  demand has gone away from " + count(status.drifted(), "limit"));
    }
    if (!status.holder().isEmpty()) {
      lines.add("  the lease is with " + status.holder());
    }
    if (!status.failure().isEmpty()) {
      lines.add(
          "  failed %s in a row: %s".formatted(count(status.failures(), "time"), status.failure()));
    }
    if (status.configProblems() > 0) {
      lines.add(
          "  the changed configuration has %s, and is not in force"
              .formatted(count(status.configProblems(), "mistake")));
    }
  }

  private void proxies(DataPlaneStatus status) {
    lines.add("");
    lines.add(
        "envoy  %s connected  %,d pushes, %,d refused"
            .formatted(
                count(status.connected(), "proxy", "proxies"), status.pushes(), status.refusals()));
    if (status.proxies().isEmpty()) {
      return;
    }
    TextTable table =
        new TextTable()
            .text("PROXY", NAME_WIDTH)
            .text("SERVICE", SERVICE_WIDTH)
            .text("STATE", SERVICE_WIDTH)
            .number("PAIRS")
            .number("OVERFLOW")
            .number("DROPPING");
    int shown = maxBuckets == 0 ? status.proxies().size() : maxBuckets;
    status.proxies().stream()
        .sorted(Comparator.comparingInt(DataPlaneStatus.ProxyStatus::keys).reversed())
        .limit(shown)
        .forEach(
            proxy ->
                table.row(
                    proxy.id(),
                    proxy.service(),
                    proxy.connected() ? "connected" : "gone",
                    "%,d".formatted(proxy.pairs()),
                    "%,d".formatted(proxy.overflow()),
                    "%,d".formatted(proxy.keys())));
    add(table);
    if (shown < status.proxies().size()) {
      lines.add("  and %,d more (--top 0 shows all)".formatted(status.proxies().size() - shown));
    }
  }

  private void controller(ControllerStatus status) {
    lines.add("");
    lines.add(
        "controller %s  region %s%s"
            .formatted(status.id(), status.region(), status.learning() ? "  learning" : ""));
    lines.add(
        "  config version %d  digest %s  %s  %s"
            .formatted(
                status.configVersion(),
                brief(status.digest()),
                count(status.rules(), "rule"),
                status.problems().isEmpty()
                    ? "no bad files"
                    : count((int) badFiles(status), "bad file")));
    if (!status.problems().isEmpty()) {
      lines.add("");
      lines.add("  Bad files; the last good rules of these stay in force:");
      for (FileProblem problem : status.problems()) {
        lines.add("    " + problem);
      }
    }
    aggregators(status.aggregators());
    if (!status.peers().isEmpty()) {
      peers(status.peers());
    }
    buckets(status.buckets());
  }

  private static long badFiles(ControllerStatus status) {
    return status.problems().stream().map(FileProblem::file).distinct().count();
  }

  private void aggregators(List<ControllerStatus.AggregatorLink> aggregators) {
    if (aggregators.isEmpty()) {
      lines.add("  no aggregators");
      return;
    }
    TextTable table =
        new TextTable()
            .text("AGGREGATOR", NAME_WIDTH)
            .text("ZONE", NAME_WIDTH)
            .text("STATE", NAME_WIDTH)
            .number("CLIENTS")
            .number("LAST REPORT");
    for (ControllerStatus.AggregatorLink link : aggregators) {
      table.row(
          link.id(),
          link.zone(),
          link.connected() ? "connected" : "gone, held",
          "%,d".formatted(link.clients()),
          age(link.ageSeconds()));
    }
    add(table);
  }

  private void peers(List<ControllerStatus.PeerLink> peers) {
    TextTable table =
        new TextTable()
            .text("PEER", NAME_WIDTH)
            .text("REGION", NAME_WIDTH)
            .text("STATE", NAME_WIDTH)
            .number("LAST REPORT");
    for (ControllerStatus.PeerLink link : peers) {
      table.row(
          link.address(),
          link.region().isEmpty() ? "-" : link.region(),
          link.connected() ? "connected" : "gone",
          age(link.ageSeconds()));
    }
    add(table);
  }

  private void aggregator(AggregatorStatus status) {
    lines.add("");
    lines.add(
        "aggregator %s  region %s  zone %s  %s"
            .formatted(
                status.id(), status.region(), status.zone(), count(status.clients(), "client")));
    if (status.slowDownMillis() > 0) {
      lines.add(
          "  overloaded: clients are asked to report no more often than each %,d ms"
              .formatted(status.slowDownMillis()));
    }
    lines.add(
        "  config version %d  digest %s  %s"
            .formatted(
                status.configVersion(),
                brief(status.digest()),
                status.following().isEmpty()
                    ? "follows no controller"
                    : "follows " + status.following()));
    TextTable table =
        new TextTable()
            .text("CONTROLLER", NAME_WIDTH)
            .text("ID", NAME_WIDTH)
            .text("STATE", NAME_WIDTH);
    for (AggregatorStatus.ControllerLink link : status.controllers()) {
      table.row(
          link.address(),
          link.id().isEmpty() ? "-" : link.id(),
          (link.connected() ? "connected" : "gone") + (link.learning() ? ", learning" : ""));
    }
    add(table);
    buckets(status.buckets());
  }

  private void buckets(List<BucketStatus> buckets) {
    if (buckets.isEmpty()) {
      lines.add("  no demand");
      return;
    }
    int shown = maxBuckets == 0 ? buckets.size() : Math.min(maxBuckets, buckets.size());
    TextTable table =
        new TextTable()
            .text("RULE", NAME_WIDTH)
            .text("WHERE", DOMAIN_WIDTH)
            .number("LIMIT/S")
            .number("OFFERED/S")
            .number("ADMITTED/S")
            .number("DROP %")
            .number("WOULD %");
    buckets.stream()
        .sorted(Comparator.comparingDouble(BucketStatus::offeredPerSecond).reversed())
        .limit(shown)
        .forEach(bucket -> row(table, bucket));
    add(table);
    if (shown < buckets.size()) {
      lines.add("  and %,d more (--top 0 shows all)".formatted(buckets.size() - shown));
    }
  }

  private static void row(TextTable table, BucketStatus bucket) {
    table.row(
        name(bucket),
        bucket.domain(),
        rate(bucket.limitPerSecond()),
        rate(bucket.offeredPerSecond()),
        rate(bucket.offeredPerSecond() - bucket.droppedPerSecond()),
        percent(bucket.droppedPerSecond(), bucket.offeredPerSecond()),
        percent(bucket.wouldDropPerSecond(), bucket.offeredPerSecond()));
  }

  private static String name(BucketStatus bucket) {
    return bucket.service()
        + "/"
        + bucket.rule()
        + (bucket.caller().isEmpty() ? "" : " " + bucket.caller())
        + (bucket.procedure().isEmpty() ? "" : " " + bucket.procedure());
  }

  private void add(TextTable table) {
    lines.add("");
    table.lines().forEach(line -> lines.add("  " + line));
  }

  private static String count(int number, String what) {
    return count(number, what, what + "s");
  }

  private static String count(int number, String one, String several) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : several);
  }

  private static String brief(String digest) {
    return digest.length() <= 8 ? digest : digest.substring(0, 8);
  }

  private static String age(double seconds) {
    return seconds < 0 ? "never" : String.format(Locale.ROOT, "%.1f s ago", seconds);
  }

  /** Below 100 the tenths matter, above they are noise. */
  static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 99.95 ? "%.1f" : "%,.0f", perSecond);
  }

  private static String percent(double part, double whole) {
    return String.format(Locale.ROOT, "%.1f", whole > 0 ? 100 * part / whole : 0.0);
  }
}
