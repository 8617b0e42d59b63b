package io.headgate.simulator.scenario;

import io.headgate.control.yaml.Choice;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlMapping;
import io.headgate.control.yaml.YamlNodes;
import io.headgate.core.rule.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * The values of a mapping by key. What is missing or wrong becomes a problem, and its value the one
 * for absence.
 */
final class Fields {

  private static final Pattern DURATION = Pattern.compile("(\\d+(?:\\.\\d+)?) ?(ms|s|min)");
  private static final Map<String, Double> SECONDS = Map.of("ms", 1e-3, "s", 1.0, "min", 60.0);

  private final Node node;
  private final @Nullable YamlMapping mapping;
  private final Problems problems;

  /** The fields of a node that should be a mapping with these keys. */
  Fields(Node node, Choice keys, Problems problems) {
    this.node = node;
    this.problems = problems;
    if (node instanceof MappingNode mappingNode) {
      mapping = YamlMapping.of(mappingNode, keys, problems);
    } else {
      mapping = null;
      problems.add(
          node, "found " + YamlNodes.describe(node) + " (expected: a mapping with " + keys + ")");
    }
  }

  boolean has(String key) {
    return get(key) != null;
  }

  @Nullable Node get(String key) {
    return mapping == null ? null : mapping.get(key);
  }

  /** A text that must be there. */
  String text(String key) {
    Node value = mapping == null ? null : mapping.require(key, "no " + key);
    return value == null ? "" : scalar(key, value, "a text");
  }

  String text(String key, String absent) {
    Node value = get(key);
    return value == null ? absent : scalar(key, value, "a text");
  }

  String word(String key, Choice words, String absent) {
    Node value = get(key);
    if (value == null) {
      return absent;
    }
    String word = scalar(key, value, words.toString());
    if (!words.contains(word)) {
      problems.add(value, key + ": found " + YamlNodes.quote(word) + " " + words.expected(word));
      return absent;
    }
    return word;
  }

  /** A number within bounds. */
  double number(String key, double absent, double least, double most) {
    Node value = get(key);
    return value == null
        ? absent
        : parse(
            key,
            value,
            least + " to " + most,
            absent,
            text -> within(Double.parseDouble(text), least, most));
  }

  int integer(String key, int absent, int least, int most) {
    Node value = get(key);
    return value == null
        ? absent
        : parse(
                key,
                value,
                "a whole number from " + least + " to " + most,
                (double) absent,
                text -> within(Integer.parseInt(text), least, most))
            .intValue();
  }

  /** A duration such as {@code 20ms}, in seconds. */
  double seconds(String key, double absent) {
    Node value = get(key);
    return value == null
        ? absent
        : parse(key, value, "a duration such as 20ms, 10s or 5min", absent, Fields::parseSeconds);
  }

  /** A rate such as {@code 5000/s}, per second. */
  double rate(String key) {
    Node value =
        mapping == null
            ? null
            : mapping.require(key, "no " + key + " (expected: a rate such as 5000/s)");
    return value == null
        ? 0
        : parse(key, value, "a rate such as 5000/s", 0.0, text -> Rate.parse(text).perSecond());
  }

  /** The items of a list; none if it is absent. */
  List<Node> list(String key) {
    Node value = get(key);
    if (value == null) {
      return List.of();
    }
    if (value instanceof SequenceNode sequence) {
      return sequence.getValue();
    }
    problems.add(value, key + ": found " + YamlNodes.describe(value) + " (expected: a list)");
    return List.of();
  }

  /** The texts of a list. */
  List<String> texts(String key) {
    List<String> texts = new ArrayList<>();
    for (Node item : list(key)) {
      texts.add(scalar(key, item, "a text"));
    }
    return texts;
  }

  /** The entries of a mapping whose keys somebody chose. */
  Map<String, Node> entries(String key) {
    Node value = get(key);
    if (value instanceof MappingNode entries) {
      return YamlMapping.ofNames(entries, problems).values();
    }
    if (value != null) {
      problems.add(value, key + ": found " + YamlNodes.describe(value) + " (expected: a mapping)");
    }
    return Map.of();
  }

  /** Something is wrong with this mapping as a whole. */
  void problem(String message) {
    problems.add(node, message);
  }

  private String scalar(String key, Node value, String expected) {
    if (value instanceof ScalarNode scalar && !YamlNodes.isNothing(value)) {
      return scalar.getValue();
    }
    problems.add(
        value, key + ": found " + YamlNodes.describe(value) + " (expected: " + expected + ")");
    return "";
  }

  private Double parse(
      String key, Node value, String expected, Double absent, Function<String, Double> parser) {
    String text = scalar(key, value, expected);
    try {
      return text.isEmpty() ? absent : parser.apply(text);
    } catch (IllegalArgumentException e) {
      problems.add(
          value, key + ": found " + YamlNodes.quote(text) + " (expected: " + expected + ")");
      return absent;
    }
  }

  private static double within(double number, double least, double most) {
    if (!(number >= least && number <= most)) {
      throw new IllegalArgumentException("out of range");
    }
    return number;
  }

  private static Double parseSeconds(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("no duration");
    }
    return Double.parseDouble(matcher.group(1)) * SECONDS.getOrDefault(matcher.group(2), 1.0);
  }
}
