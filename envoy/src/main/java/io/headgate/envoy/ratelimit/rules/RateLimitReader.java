package io.headgate.envoy.ratelimit.rules;

import com.google.protobuf.Struct;
import io.headgate.control.yaml.Choice;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlMapping;
import io.headgate.control.yaml.YamlNodes;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads the limit of a descriptor. */
final class RateLimitReader {

  private static final Choice KEYS =
      new Choice("unit", "requests_per_unit", "unlimited", "name", "replaces", "algorithm");
  private static final Choice REPLACES_KEYS = new Choice("name");
  private static final Choice UNITS =
      new Choice("second", "minute", "hour", "day", "week", "month", "year");
  private static final Choice ALGORITHMS = new Choice("fixed_window", "sliding_window", "gcra");

  private static final long MAX_REQUESTS = 0xFFFF_FFFFL;
  private static final String EXPECTED_REQUESTS =
      "(expected: a whole number from 0, which lets nothing pass, to " + MAX_REQUESTS + ")";

  /** Plain, or with underscores between its digits as YAML 1.1 allows. */
  private static final Pattern WHOLE = Pattern.compile("\\d[\\d_]{0,30}");

  private final Problems problems;
  private final RuleFileValues values;
  private final LimitCheck check;

  RateLimitReader(Problems problems, RuleFileValues values, LimitCheck check) {
    this.problems = problems;
    this.values = values;
    this.check = check;
  }

  /** The limit of a descriptor; null if it has none, or one with a mistake. */
  @Nullable RateLimit read(YamlMapping descriptor, String path) {
    RateLimit.Flags flags =
        new RateLimit.Flags(
            values.flag("shadow_mode", descriptor.get("shadow_mode")),
            values.flag("quota_mode", descriptor.get("quota_mode")),
            values.flag("detailed_metric", descriptor.get("detailed_metric")));
    Struct metadata = metadata(descriptor.get("metadata"));
    Node node = descriptor.get("rate_limit");
    if (node == null || YamlNodes.isNothing(node)) {
      return null;
    }
    if (!(node instanceof MappingNode mappingNode)) {
      problems.add(
          node,
          "rate_limit: found "
              + YamlNodes.describe(node)
              + " (expected: a mapping with unit and requests_per_unit)");
      return null;
    }
    YamlMapping mapping = YamlMapping.of(mappingNode, KEYS, problems);
    String name = values.optionalText("name", mapping.get("name"));
    Set<String> replaces = replaces(mapping.get("replaces"), name);
    if (values.flag("unlimited", mapping.get("unlimited"))) {
      refuse("unit", mapping);
      refuse("requests_per_unit", mapping);
      return RateLimit.unlimited(path, name, replaces, flags, metadata);
    }
    return counted(mapping, path, name, replaces, flags, metadata);
  }

  private void refuse(String key, YamlMapping unlimited) {
    Node node = unlimited.get(key);
    if (node != null) {
      problems.add(node, key + " beside unlimited: true (expected: one of them)");
    }
  }

  private @Nullable RateLimit counted(
      YamlMapping mapping,
      String path,
      String name,
      Set<String> replaces,
      RateLimit.Flags flags,
      @Nullable Struct metadata) {
    Node unitNode =
        mapping.require("unit", "a rate_limit without unit (expected: unit, " + UNITS + ")");
    Node requestsNode =
        mapping.require(
            "requests_per_unit", "a rate_limit without requests_per_unit " + EXPECTED_REQUESTS);
    String unit = unitNode == null ? null : word("unit", unitNode, UNITS);
    Long requests = requestsNode == null ? null : requests(requestsNode);
    Node algorithmNode = mapping.get("algorithm");
    String algorithm =
        algorithmNode == null ? "fixed_window" : word("algorithm", algorithmNode, ALGORITHMS);
    if (unit == null || requests == null || requestsNode == null || algorithm == null) {
      return null;
    }
    try {
      RateLimit limit =
          RateLimit.of(
              path,
              name,
              replaces,
              requests,
              LimitUnit.valueOf(unit.toUpperCase(Locale.ROOT)),
              Algorithm.valueOf(algorithm.toUpperCase(Locale.ROOT)),
              flags,
              metadata);
      if (limit.counted() != null) {
        check.require(limit.counted());
      }
      return limit;
    } catch (IllegalArgumentException e) {
      problems.add(requestsNode, "cannot be counted: " + e.getMessage());
      return null;
    }
  }

  private @Nullable String word(String what, Node node, Choice choice) {
    if (node instanceof ScalarNode scalar) {
      String word = scalar.getValue().toLowerCase(Locale.ROOT);
      if (choice.contains(word)) {
        return word;
      }
      problems.add(
          node,
          what + ": found " + YamlNodes.describe(node) + " " + choice.expected(scalar.getValue()));
    } else {
      problems.add(
          node, what + ": found " + YamlNodes.describe(node) + " (expected: " + choice + ")");
    }
    return null;
  }

  private @Nullable Long requests(Node node) {
    if (node instanceof ScalarNode scalar && WHOLE.matcher(scalar.getValue()).matches()) {
      String digits = scalar.getValue().replace("_", "");
      if (digits.length() <= 10 && Long.parseLong(digits) <= MAX_REQUESTS) {
        return Long.valueOf(digits);
      }
    }
    problems.add(
        node, "requests_per_unit: found " + YamlNodes.describe(node) + " " + EXPECTED_REQUESTS);
    return null;
  }

  private Set<String> replaces(@Nullable Node node, String ownName) {
    Set<String> names = new LinkedHashSet<>();
    if (node == null || YamlNodes.isNothing(node)) {
      return names;
    }
    if (!(node instanceof SequenceNode sequence)) {
      problems.add(
          node,
          "replaces: found "
              + YamlNodes.describe(node)
              + " (expected: a list of mappings with name)");
      return names;
    }
    for (Node item : sequence.getValue()) {
      if (!(item instanceof MappingNode mappingNode)) {
        problems.add(
            item,
            "replaces: found " + YamlNodes.describe(item) + " (expected: a mapping with name)");
        continue;
      }
      YamlMapping mapping = YamlMapping.of(mappingNode, REPLACES_KEYS, problems);
      Node nameNode = mapping.require("name", "replaces without name (expected: name)");
      String name = nameNode == null ? null : values.name("replaces", nameNode);
      if (nameNode != null && name != null && name.equals(ownName)) {
        problems.add(nameNode, "replaces: found its own name (expected: that of another)");
      } else if (name != null) {
        names.add(name);
      }
    }
    return names;
  }

  private @Nullable Struct metadata(@Nullable Node node) {
    if (node == null || YamlNodes.isNothing(node)) {
      return null;
    }
    if (node instanceof MappingNode mapping) {
      return values.struct(mapping);
    }
    problems.add(
        node, "metadata: found " + YamlNodes.describe(node) + " (expected: a mapping of any keys)");
    return null;
  }
}
