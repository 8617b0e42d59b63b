package io.headgate.configurator.parameters;

import io.headgate.control.yaml.Choice;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlMapping;
import io.headgate.control.yaml.YamlNodes;
import io.headgate.core.rule.Identifier;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * What somebody has set, by key. A value that is missing or wrong becomes a problem with its place,
 * and is taken as absent, so that all mistakes of a file show at once. A key that nobody asks for
 * until {@link #finish} is a problem too.
 */
public final class Parameters {

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9}) ?(s|m|h|d|w)");

  private final Node node;
  private final Problems problems;
  private final @Nullable YamlMapping mapping;
  private final Set<String> asked = new LinkedHashSet<>();

  private Parameters(Node node, @Nullable YamlMapping mapping, Problems problems) {
    this.node = node;
    this.mapping = mapping;
    this.problems = problems;
  }

  /** What a node holds, which should be a mapping. */
  public static Parameters of(Node node, Problems problems) {
    if (node instanceof MappingNode mappingNode) {
      return new Parameters(node, YamlMapping.ofNames(mappingNode, problems), problems);
    }
    problems.add(node, "found " + YamlNodes.describe(node) + " (expected: a mapping)");
    return new Parameters(node, null, problems);
  }

  /** Whether somebody has set this. */
  public boolean has(String key) {
    return value(key) != null;
  }

  /** A text that must be there; empty after a mistake. */
  public String text(String key) {
    Node value = value(key);
    if (value == null) {
      if (mapping != null) {
        problems.add(node, "no " + key);
      }
      return "";
    }
    return scalar(key, value, "a text");
  }

  /** A text. */
  public String text(String key, String absent) {
    Node value = value(key);
    return value == null ? absent : scalar(key, value, "a text");
  }

  /** One of some words. */
  public String word(String key, Choice words, String absent) {
    Node value = value(key);
    if (value == null) {
      return absent;
    }
    String word = scalar(key, value, words.toString());
    if (word.isEmpty() || words.contains(word)) {
      return word.isEmpty() ? absent : word;
    }
    problems.add(value, key + ": found " + YamlNodes.quote(word) + " " + words.expected(word));
    return absent;
  }

  /** A number within bounds. */
  public double number(String key, double absent, double least, double most) {
    return parse(
        key,
        "a number from " + least + " to " + most,
        absent,
        text -> {
          double number = Double.parseDouble(text);
          if (!(number >= least && number <= most)) {
            throw new IllegalArgumentException("out of range");
          }
          return number;
        });
  }

  /** A rate such as {@code 5000/s}, in requests per second. */
  public double rate(String key, double absent) {
    return parse(key, "a rate such as 5000/s", absent, text -> Rate.parse(text).perSecond());
  }

  /** A rate that must be there; 0 after a mistake. */
  public double rate(String key) {
    if (!has(key) && mapping != null) {
      problems.add(node, "no " + key + " (expected: a rate such as 5000/s)");
    }
    return rate(key, 0);
  }

  /** A duration such as {@code 90s}, {@code 5m}, {@code 1h}, {@code 7d} or {@code 4w}. */
  public Duration duration(String key, Duration absent) {
    return parse(key, "a duration such as 90s, 5m, 1h, 28d or 4w", absent, Parameters::duration);
  }

  /** An instant such as {@code 2026-11-27T08:00:00Z} that must be there; the epoch if not. */
  public Instant instant(String key) {
    if (!has(key) && mapping != null) {
      problems.add(node, "no " + key + " (expected: a time such as 2026-11-27T08:00:00Z)");
    }
    return parse(key, "a time such as 2026-11-27T08:00:00Z", Instant.EPOCH, Instant::parse);
  }

  /** A name, or a prefix that ends in {@code *}; every name if it is absent. */
  public NamePattern pattern(String key) {
    return parse(
        key, "a name, or a prefix that ends in the only '*'", NamePattern.any(), NamePattern::of);
  }

  /** Parameters within these; null if they are absent. */
  public @Nullable Parameters mapping(String key) {
    Node value = value(key);
    return value == null ? null : of(value, problems);
  }

  /** Each item of a list. */
  public List<Parameters> list(String key) {
    Node value = value(key);
    List<Parameters> items = new ArrayList<>();
    if (value instanceof SequenceNode sequence) {
      sequence.getValue().forEach(item -> items.add(of(item, problems)));
    } else if (value != null) {
      problems.add(value, key + ": found " + YamlNodes.describe(value) + " (expected: a list)");
    }
    return items;
  }

  /** Each name of a list of names. */
  public List<String> names(String key) {
    Node value = value(key);
    List<String> names = new ArrayList<>();
    if (value instanceof SequenceNode sequence) {
      for (Node item : sequence.getValue()) {
        if (item instanceof ScalarNode scalar && Identifier.isValid(scalar.getValue())) {
          names.add(scalar.getValue());
        } else {
          problems.add(item, key + ": found " + YamlNodes.describe(item) + " (expected: a name)");
        }
      }
    } else if (value != null) {
      problems.add(
          value, key + ": found " + YamlNodes.describe(value) + " (expected: a list of names)");
    }
    return names;
  }

  /** Parameters by names that somebody chose. */
  public Map<String, Parameters> entries(String key) {
    Parameters within = mapping(key);
    Map<String, Parameters> entries = new LinkedHashMap<>();
    if (within != null && within.mapping != null) {
      within.mapping.values().forEach((name, value) -> entries.put(name, of(value, problems)));
    }
    return entries;
  }

  /** Something is wrong with the value of a key, or with all of it if that is absent. */
  public void problem(String key, String message) {
    Node value = value(key);
    problems.add(value == null ? node : value, message);
  }

  /** Nothing more is asked for: a key that has not been is unknown. */
  public void finish() {
    if (mapping == null) {
      return;
    }
    Choice known = new Choice(asked.toArray(String[]::new));
    mapping
        .values()
        .forEach(
            (key, value) -> {
              if (!asked.contains(key)) {
                problems.add(
                    value, "unknown key " + YamlNodes.quote(key) + " " + known.expected(key));
              }
            });
  }

  private @Nullable Node value(String key) {
    asked.add(key);
    return mapping == null ? null : mapping.get(key);
  }

  private String scalar(String key, Node value, String expected) {
    if (value instanceof ScalarNode scalar && !YamlNodes.isNothing(value)) {
      return scalar.getValue();
    }
    problems.add(
        value, key + ": found " + YamlNodes.describe(value) + " (expected: " + expected + ")");
    return "";
  }

  private <T> T parse(String key, String expected, T absent, Function<String, T> parser) {
    Node value = value(key);
    if (value == null) {
      return absent;
    }
    String text = scalar(key, value, expected);
    try {
      return text.isEmpty() ? absent : parser.apply(text);
    } catch (IllegalArgumentException | DateTimeParseException e) {
      problems.add(
          value, key + ": found " + YamlNodes.quote(text) + " (expected: " + expected + ")");
      return absent;
    }
  }

  private static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("no duration");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      case "d" -> Duration.ofDays(amount);
      default -> Duration.ofDays(7 * amount);
    };
  }
}
