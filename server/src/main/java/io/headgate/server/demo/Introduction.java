package io.headgate.server.demo;

import io.headgate.server.demo.cluster.LocalCluster;
import io.headgate.server.demo.cluster.ServerProcess;
import io.headgate.server.demo.sample.Population;
import io.headgate.server.demo.sample.SampleEnvoys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What there is to see, and what to try. */
final class Introduction {

  private Introduction() {}

  /**
   * The lines to begin with.
   *
   * @param ruleFile the demo's own rule file; null if the rules are the person's own
   */
  static List<String> lines(DemoFleet fleet, Path rules, Path logs, @Nullable Path ruleFile) {
    LocalCluster cluster = fleet.cluster();
    @Nullable SampleEnvoys envoys = fleet.envoys();
    List<String> lines = new ArrayList<>();
    lines.add(
        "Running: a control plane of 2 regions and "
            + (envoys == null ? 4 : 2)
            + " zones, and "
            + Population.MEMBERS.size()
            + " callers of a service 'payments'"
            + (envoys == null ? "." : ", behind Envoy " + envoys.binary().version() + "."));
    lines.add("");
    for (ServerProcess process : cluster.processes().toList()) {
      lines.add(
          "  %-22s  pid %-8d  http://%s"
              .formatted(process.name(), process.pid(), process.httpAddress()));
    }
    if (envoys != null) {
      envoys.all().forEach(envoy -> lines.add(line(envoy)));
    }
    ServerProcess first = cluster.controllers().get(0);
    String controllers =
        cluster.controllers().stream()
            .map(process -> Long.toString(process.pid()))
            .collect(Collectors.joining(" "));
    lines.add("");
    lines.add(
        (envoys == null ? "  Each has" : "  Tiers have")
            + " /metrics and /status; "
            + (envoys == null ? "its log is in " : "their logs are in ")
            + logs);
    lines.add("");
    lines.add("Try in another terminal:");
    lines.add("  ./headgate status --address " + first.httpAddress());
    lines.add("  curl -s http://" + first.httpAddress() + "/metrics | grep headgate_");
    if (ruleFile == null) {
      lines.add("  change a rule in " + rules);
    } else {
      lines.add("  sed -i '0,/limit: .*/s//limit: 500\\/s/' " + ruleFile);
      lines.add("  sed -i '0,/limit: .*/s//limit: many/' " + ruleFile);
    }
    if (envoys != null) {
      String admin = line(envoys.all().get(0)).replaceFirst(".*http", "http");
      lines.add("  curl -s '" + admin + "/stats?filter=headgate'   # what an Envoy counts");
      lines.add("  curl -s " + admin + "/runtime   # what it was told to drop, in millionths");
    }
    lines.add("  kill -9 " + controllers + "   # no controllers: ratios hold 5 s, then let go");
    lines.add("");
    lines.add("Ctrl-C ends all of it.");
    lines.add("");
    return lines;
  }

  private static String line(SampleEnvoys.Running envoy) {
    return "  %-22s  pid %-8d  http://127.0.0.1:%d"
        .formatted(envoy.name(), envoy.process().pid(), envoy.process().admin().getPort());
  }
}
