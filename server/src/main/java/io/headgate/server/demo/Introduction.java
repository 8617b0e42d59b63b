package io.headgate.server.demo;

import io.headgate.server.demo.cluster.LocalCluster;
import io.headgate.server.demo.cluster.ServerProcess;
import io.headgate.server.demo.sample.Population;
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
  static List<String> lines(LocalCluster cluster, Path rules, Path logs, @Nullable Path ruleFile) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Running: a control plane of 2 regions and 4 zones, and "
            + Population.MEMBERS.size()
            + " callers of a service 'payments'.");
    lines.add("");
    for (ServerProcess process : cluster.processes().toList()) {
      lines.add(
          "  %-22s  pid %-8d  http://%s"
              .formatted(process.name(), process.pid(), process.httpAddress()));
    }
    ServerProcess first = cluster.controllers().get(0);
    String controllers =
        cluster.controllers().stream()
            .map(process -> Long.toString(process.pid()))
            .collect(Collectors.joining(" "));
    lines.add("");
    lines.add("  Each has /metrics and /status; its log is in " + logs);
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
    lines.add("  kill -9 " + controllers + "   # no controllers: ratios hold 5 s, then let go");
    lines.add("");
    lines.add("Ctrl-C ends all of it.");
    lines.add("");
    return lines;
  }
}
