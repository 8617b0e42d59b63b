package io.headgate.simulator.scenario;

import io.headgate.control.rules.RuleCodec;
import io.headgate.control.status.FileProblem;
import io.headgate.control.yaml.Choice;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlDocuments;
import io.headgate.control.yaml.YamlNodes;
import io.headgate.core.rule.ServiceRules;
import io.headgate.core.shed.LawSettings;
import io.headgate.simulator.world.Weather;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * Reads scenarios: a YAML file whose first document is the scenario and whose others are the rules
 * of services, as in rule files.
 */
public final class ScenarioReader {

  private static final Choice KEYS =
      new Choice(
          "name",
          "about",
          "seconds",
          "seed",
          "loop",
          "network",
          "clockSkew",
          "clockDrift",
          "regions",
          "traffic",
          "crowd",
          "events",
          "watch",
          "expect");
  private static final Choice LOOP_KEYS = new Choice("like", "report", "tick", "ttl", "ramp");
  private static final Choice LOOPS = new Choice("headgate", "plain");
  private static final Choice NETWORK_KEYS =
      new Choice("latency", "jitter", "loss", "duplication", "reordering");
  private static final Choice REGION_KEYS = new Choice("zones", "controllers", "aggregators");
  private static final Choice EVENT_KEYS =
      new Choice(
          "at", "kill", "share", "restart", "pause", "stall", "for", "every", "slow", "each",
          "break", "cut", "network", "rules");
  private static final Choice WATCH_KEYS = new Choice("service", "rule", "step", "from", "until");

  private static final Pattern BOUND =
      Pattern.compile("(?:(<=|>=) *)?(-?\\d+(?:\\.\\d+)?)(?: *to *(-?\\d+(?:\\.\\d+)?))?");

  private final String file;
  private final Problems problems;
  private final TrafficReader trafficReader;

  private ScenarioReader(String file) {
    this.file = file;
    this.problems = new Problems(file);
    trafficReader = new TrafficReader(problems);
  }

  /**
   * What was read.
   *
   * @param scenario null if there are problems
   * @param problems all that is wrong, in the order of the file
   */
  public record Reading(@Nullable Scenario scenario, List<FileProblem> problems) {}

  /** Reads a file's content. Nothing that it may hold makes this throw. */
  public static Reading read(String file, byte[] content) {
    return new ScenarioReader(file).read(content);
  }

  private Reading read(byte[] content) {
    List<Node> documents = new YamlDocuments(problems).read(content);
    @Nullable Scenario scenario = null;
    if (!documents.isEmpty()) {
      List<ServiceRules> rules =
          RuleCodec.read(file, documents.subList(1, documents.size()), problems);
      scenario = scenario(documents.get(0), rules);
    } else if (problems.isEmpty()) {
      problems.add(1, 1, "the file is empty (expected: a scenario)");
    }
    return problems.isEmpty()
        ? new Reading(scenario, List.of())
        : new Reading(null, problems.inOrder());
  }

  private Scenario scenario(Node node, List<ServiceRules> rules) {
    Fields fields = new Fields(node, KEYS, problems);
    double seconds = fields.seconds("seconds", 60);
    List<Scenario.Region> regions = regions(fields);
    List<String> zones = regions.stream().flatMap(region -> region.zones().stream()).toList();
    List<Traffic> traffic = new ArrayList<>();
    for (Node item : fields.list("traffic")) {
      traffic.add(trafficReader.traffic(item, zones));
    }
    @Nullable Crowd crowd = trafficReader.crowd(fields.get("crowd"));
    if (traffic.isEmpty() == (crowd == null)) {
      fields.problem("no traffic, or two kinds of it (expected: a list of callers, or a crowd)");
    }
    List<Event> events = new ArrayList<>();
    for (Node item : fields.list("events")) {
      event(item, rules, events);
    }
    if (crowd != null && !events.isEmpty()) {
      fields.problem("events: a crowd does not know how to bear them (expected: none)");
    }
    return new Scenario(
        fields.text("name"),
        fields.text("about", ""),
        seconds,
        fields.integer("seed", 1, 0, Integer.MAX_VALUE),
        loop(fields.get("loop")),
        weather(fields.get("network")),
        fields.seconds("clockSkew", 0),
        fields.number("clockDrift", 0, 0, 0.01),
        regions,
        rules,
        traffic,
        crowd,
        events,
        watch(fields.get("watch"), rules, seconds),
        expectations(fields));
  }

  private Loop loop(@Nullable Node node) {
    if (node == null) {
      return Loop.DEFAULT;
    }
    Fields fields = new Fields(node, LOOP_KEYS, problems);
    Loop like = fields.word("like", LOOPS, "headgate").equals("plain") ? Loop.PLAIN : Loop.DEFAULT;
    LawSettings law = like.law();
    return new Loop(
        fields.seconds("report", like.reportSeconds()),
        like.significance(),
        fields.seconds("tick", like.tickSeconds()),
        fields.seconds("ttl", like.ttlSeconds()),
        fields.seconds("ramp", like.rampSeconds()),
        law);
  }

  private Weather weather(@Nullable Node node) {
    if (node == null) {
      return Weather.CALM;
    }
    Fields fields = new Fields(node, NETWORK_KEYS, problems);
    return new Weather(
        Math.round(fields.seconds("latency", 0.02) * 1e9),
        Math.round(fields.seconds("jitter", 0) * 1e9),
        fields.number("loss", 0, 0, 1),
        fields.number("duplication", 0, 0, 1),
        fields.number("reordering", 0, 0, 1));
  }

  private List<Scenario.Region> regions(Fields scenario) {
    List<Scenario.Region> regions = new ArrayList<>();
    scenario
        .entries("regions")
        .forEach(
            (name, node) -> {
              Fields fields = new Fields(node, REGION_KEYS, problems);
              List<String> zones = fields.texts("zones");
              if (zones.isEmpty()) {
                fields.problem("no zones (expected: a list of names)");
              }
              regions.add(
                  new Scenario.Region(
                      name,
                      zones,
                      fields.integer("controllers", 1, 1, 10),
                      fields.integer("aggregators", 1, 1, 100)));
            });
    if (regions.isEmpty()) {
      scenario.problem("no regions (expected: a mapping from names to zones)");
    }
    return regions;
  }

  private void event(Node node, List<ServiceRules> rules, List<Event> events) {
    Fields fields = new Fields(node, EVENT_KEYS, problems);
    double at = fields.seconds("at", 0);
    if (fields.has("kill")) {
      events.add(new Event.Kill(at, fields.text("kill"), fields.number("share", 1, 0, 1)));
    } else if (fields.has("restart")) {
      events.add(new Event.Restart(at, fields.text("restart")));
    } else if (fields.has("pause")) {
      events.add(pause(fields, at, "pause"));
    } else if (fields.has("stall")) {
      events.add(pause(fields, at, "stall"));
    } else if (fields.has("slow")) {
      events.add(
          new Event.Slow(
              at, fields.text("slow"), fields.seconds("each", 0.001), fields.seconds("for", 1)));
    } else if (fields.has("break")) {
      events.add(new Event.Break(at, fields.text("break")));
    } else if (fields.has("cut")) {
      List<String> places = fields.texts("cut");
      if (places.size() == 2) {
        events.add(new Event.Cut(at, places.get(0), places.get(1), fields.seconds("for", 1)));
      } else {
        fields.problem("cut: found " + places.size() + " places (expected: 2)");
      }
    } else if (fields.has("network")) {
      events.add(new Event.WeatherChange(at, weather(fields.get("network"))));
    } else if (fields.has("rules")) {
      List<ServiceRules> changed = RuleCodec.read(file, fields.list("rules"), problems);
      events.add(new Event.RuleChange(at, merge(rules, changed)));
    } else {
      fields.problem(
          "an event without kind (expected: kill, restart, pause, stall, slow, break, cut,"
              + " network or rules)");
    }
  }

  private static Event pause(Fields fields, double at, String key) {
    return new Event.Pause(
        at,
        fields.text(key),
        key.equals("stall"),
        fields.seconds("for", 1),
        fields.seconds("every", 0));
  }

  /** All services, those that are named again as they are named last. */
  private static List<ServiceRules> merge(List<ServiceRules> before, List<ServiceRules> changed) {
    List<ServiceRules> merged = new ArrayList<>(changed);
    for (ServiceRules service : before) {
      if (changed.stream().noneMatch(other -> other.service().equals(service.service()))) {
        merged.add(service);
      }
    }
    return merged;
  }

  private Scenario.Watch watch(@Nullable Node node, List<ServiceRules> rules, double seconds) {
    if (node == null) {
      problems.add(1, 1, "no watch (expected: the service and rule that figures are about)");
      return new Scenario.Watch("", "", 0, 0, seconds);
    }
    Fields fields = new Fields(node, WATCH_KEYS, problems);
    String service = fields.text("service");
    String rule = fields.text("rule");
    boolean known =
        rules.stream()
            .filter(candidate -> candidate.service().equals(service))
            .flatMap(candidate -> candidate.rules().stream())
            .anyMatch(candidate -> candidate.name().equals(rule));
    if (!known) {
      fields.problem(
          "watch: found no rule '" + rule + "' of service '" + service + "' in this file");
    }
    return new Scenario.Watch(
        service,
        rule,
        fields.seconds("step", 0),
        fields.seconds("from", 0),
        fields.seconds("until", seconds));
  }

  private List<Scenario.Expectation> expectations(Fields scenario) {
    List<Scenario.Expectation> expectations = new ArrayList<>();
    for (Map.Entry<String, Node> entry : scenario.entries("expect").entrySet()) {
      Node value = entry.getValue();
      String text = value instanceof ScalarNode scalar ? scalar.getValue() : "";
      Matcher matcher = BOUND.matcher(text);
      if (!matcher.matches() || (matcher.group(1) == null) == (matcher.group(3) == null)) {
        problems.add(
            value,
            entry.getKey()
                + ": found "
                + YamlNodes.describe(value)
                + " (expected: <= a number, >= a number, or a number to a number)");
        continue;
      }
      double bound = Double.parseDouble(matcher.group(2));
      expectations.add(
          new Scenario.Expectation(
              entry.getKey(),
              "<=".equals(matcher.group(1)) ? Double.NEGATIVE_INFINITY : bound,
              ">=".equals(matcher.group(1))
                  ? Double.POSITIVE_INFINITY
                  : matcher.group(3) == null ? bound : Double.parseDouble(matcher.group(3))));
    }
    return expectations;
  }
}
