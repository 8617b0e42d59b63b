package io.headgate.control.rules;

import io.headgate.control.yaml.Choice;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlMapping;
import io.headgate.control.yaml.YamlNodes;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Rate;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Trials as they stand beside their rules. */
public final class TrialCodec {

  private static final Choice KEYS =
      new Choice("of", "since", "stage", "places", "formerLimit", "formerBehavior", "peak");
  private static final Choice STAGES = new Choice("shadow", "zone", "region", "global");
  private static final Choice BEHAVIORS = new Choice("deny", "allow");
  private static final String EXPECTED_TIME = "(expected: a time such as 2026-11-27T08:00:00Z)";

  private final Problems problems;
  private final RuleValues values;

  TrialCodec(Problems problems, RuleValues values) {
    this.problems = problems;
    this.values = values;
  }

  /** A trial on one line; what is as usual is left out. */
  public static String write(Trial trial) {
    StringBuilder yaml = new StringBuilder("{ of: " + trial.of() + ", since: " + trial.since());
    yaml.append(", stage: ").append(trial.stage());
    if (!trial.places().isEmpty()) {
      List<String> places =
          trial.places().stream().map(place -> "'" + place.replace("'", "''") + "'").toList();
      yaml.append(", places: [").append(String.join(", ", places)).append(']');
    }
    if (trial.formerLimit() != null) {
      yaml.append(", formerLimit: ").append(trial.formerLimit());
    }
    if (trial.formerBehavior() != Behavior.DENY) {
      yaml.append(", formerBehavior: ").append(trial.formerBehavior());
    }
    if (trial.peak() != null) {
      yaml.append(", peak: ").append(trial.peak());
    }
    return yaml.append(" }").toString();
  }

  /** The trial that a node holds, or null after a mistake. */
  @Nullable Trial read(Node node) {
    if (!(node instanceof MappingNode mappingNode)) {
      problems.add(
          node,
          "trial: found " + YamlNodes.describe(node) + " (expected: a mapping with of and since)");
      return null;
    }
    YamlMapping mapping = YamlMapping.of(mappingNode, KEYS, problems);
    Rate of = rate("of", mapping.require("of", "a trial without of (expected: of, a rate)"));
    Instant since =
        time(mapping.require("since", "a trial without since (expected: since, a time)"));
    String stage = values.word("trial.stage", mapping.get("stage"), STAGES, "shadow");
    List<String> places = places(mapping.get("places"));
    Rate formerLimit = rate("formerLimit", mapping.get("formerLimit"));
    String behavior =
        values.word("trial.formerBehavior", mapping.get("formerBehavior"), BEHAVIORS, "deny");
    Rate peak = rate("peak", mapping.get("peak"));
    return of == null || since == null || stage == null || behavior == null
        ? null
        : new Trial(
            of,
            since,
            Trial.Stage.valueOf(stage.toUpperCase(Locale.ROOT)),
            places,
            formerLimit,
            Behavior.valueOf(behavior.toUpperCase(Locale.ROOT)),
            peak);
  }

  private @Nullable Rate rate(String key, @Nullable Node node) {
    return node == null ? null : values.rate("trial." + key, node);
  }

  private @Nullable Instant time(@Nullable Node node) {
    String text = node == null ? null : values.text("trial.since", node, EXPECTED_TIME);
    if (node == null || text == null) {
      return null;
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      problems.add(node, "trial.since: found " + YamlNodes.quote(text) + " " + EXPECTED_TIME);
      return null;
    }
  }

  private List<String> places(@Nullable Node node) {
    List<String> places = new ArrayList<>();
    if (node == null) {
      return places;
    }
    if (!(node instanceof SequenceNode sequence)) {
      problems.add(
          node,
          "trial.places: found "
              + YamlNodes.describe(node)
              + " (expected: a list of regions or zones)");
      return places;
    }
    for (Node item : sequence.getValue()) {
      String place = values.identifier("trial.places", item);
      if (place != null) {
        places.add(place);
      }
    }
    return places;
  }
}
