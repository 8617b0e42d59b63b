package io.headgate.simulator.scenario;

import io.headgate.control.yaml.Choice;
import io.headgate.control.yaml.Problems;
import io.headgate.simulator.traffic.RateCurve;
import io.headgate.simulator.traffic.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads who calls what how often. */
final class TrafficReader {

  private static final Choice TRAFFIC_KEYS =
      new Choice(
          "name",
          "hosts",
          "zones",
          "spread",
          "service",
          "caller",
          "procedure",
          "rate",
          "changes",
          "wave",
          "attempts",
          "marked",
          "criticality");
  private static final Choice CROWD_KEYS =
      new Choice("hosts", "agents", "spread", "service", "caller", "calls");
  private static final Choice CALLS_KEYS =
      new Choice("procedure", "procedures", "each", "rate", "changes", "skew");
  private static final Choice CHANGE_KEYS = new Choice("at", "over", "rate");
  private static final Choice SPREADS = new Choice("equal", "unequal", "one_busy");
  private static final Choice CROWD_SPREADS = new Choice("equal", "unequal");
  private static final Choice TRUTH = new Choice("true", "false");

  private final Problems problems;

  TrafficReader(Problems problems) {
    this.problems = problems;
  }

  Traffic traffic(Node node, List<String> allZones) {
    Fields fields = new Fields(node, TRAFFIC_KEYS, problems);
    List<Integer> criticality = new ArrayList<>();
    for (String criticalityClass : fields.texts("criticality")) {
      if (criticalityClass.matches("[0-5]")) {
        criticality.add(Integer.parseInt(criticalityClass));
      } else {
        fields.problem("criticality: found '" + criticalityClass + "' (expected: 0 to 5)");
      }
    }
    List<String> zones = fields.has("zones") ? fields.texts("zones") : allZones;
    for (String zone : zones) {
      if (!allZones.contains(zone)) {
        fields.problem("zones: found '" + zone + "' (expected: one of " + allZones + ")");
      }
    }
    return new Traffic(
        fields.text("name"),
        fields.integer("hosts", 1, 1, 1_000_000),
        zones,
        spread(fields, SPREADS),
        fields.text("service"),
        fields.text("caller"),
        fields.text("procedure"),
        new RateCurve(
            fields.rate("rate"), changes(fields), new RateCurve.Wave(fields.seconds("wave", 0))),
        fields.integer("attempts", 1, 1, 10),
        fields.word("marked", TRUTH, "true").equals("true"),
        criticality);
  }

  private static Spread spread(Fields fields, Choice spreads) {
    return Spread.valueOf(fields.word("spread", spreads, "equal").toUpperCase(Locale.ROOT));
  }

  private List<RateCurve.Change> changes(Fields fields) {
    List<RateCurve.Change> changes = new ArrayList<>();
    for (Node item : fields.list("changes")) {
      Fields change = new Fields(item, CHANGE_KEYS, problems);
      changes.add(
          new RateCurve.Change(
              change.seconds("at", 0), change.seconds("over", 0), change.rate("rate")));
    }
    return changes;
  }

  @Nullable Crowd crowd(@Nullable Node node) {
    if (node == null) {
      return null;
    }
    Fields fields = new Fields(node, CROWD_KEYS, problems);
    int hosts = fields.integer("hosts", 1, 1, 1_000_000);
    List<Crowd.Calls> calls = new ArrayList<>();
    for (Node item : fields.list("calls")) {
      calls.add(calls(item));
    }
    if (calls.isEmpty()) {
      fields.problem("no calls (expected: a list of procedures)");
    }
    return new Crowd(
        hosts,
        fields.integer("agents", 0, 0, hosts),
        spread(fields, CROWD_SPREADS),
        fields.text("service"),
        fields.text("caller"),
        calls);
  }

  private Crowd.Calls calls(Node node) {
    Fields fields = new Fields(node, CALLS_KEYS, problems);
    String procedure = fields.text("procedure");
    if (procedure.indexOf('*') < 0) {
      fields.problem("procedure: found '" + procedure + "' (expected: a name with a *)");
    }
    List<RateCurve.Change> changes = changes(fields);
    if (changes.stream().anyMatch(change -> change.overSeconds() > 0)) {
      fields.problem("changes: found a ramp (expected: steps)");
    }
    int procedures = fields.integer("procedures", 1, 1, 1_000_000);
    return new Crowd.Calls(
        procedure,
        procedures,
        fields.integer("each", 1, 1, procedures),
        new RateCurve(fields.rate("rate"), changes, RateCurve.Wave.NONE),
        fields.number("skew", 0, 0, 10));
  }
}
