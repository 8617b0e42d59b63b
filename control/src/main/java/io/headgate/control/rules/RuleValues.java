package io.headgate.control.rules;

import io.headgate.control.yaml.Choice;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlNodes;
import io.headgate.core.rule.Identifier;
import io.headgate.core.rule.Rate;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * Reads single values in rules. A value with a mistake is null, after having said what is wrong.
 */
final class RuleValues {

  private static final String EXPECTED_RATE = "(expected: a rate such as 5000/s)";

  private final Problems problems;

  RuleValues(Problems problems) {
    this.problems = problems;
  }

  @Nullable Rate rate(String what, Node node) {
    String text = text(what, node, EXPECTED_RATE);
    if (text == null) {
      return null;
    }
    try {
      return Rate.parse(text);
    } catch (IllegalArgumentException e) {
      // The parser's message repeats the text as it is, which may be long.
      String reason =
          YamlNodes.quote(text).equals("'" + text + "'")
              ? String.valueOf(e.getMessage())
              : "found " + YamlNodes.quote(text) + " " + EXPECTED_RATE;
      problems.add(node, what + ": " + reason);
      return null;
    }
  }

  @Nullable String word(String what, @Nullable Node node, Choice words, String absent) {
    if (node == null) {
      return absent;
    }
    String text = text(what, node, "(expected: " + words + ")");
    if (text == null || words.contains(text)) {
      return text;
    }
    problems.add(node, what + ": found " + YamlNodes.quote(text) + " " + words.expected(text));
    return null;
  }

  @Nullable String identifier(String what, Node node) {
    String text = text(what, node, "(expected: a name)");
    return text == null ? null : identifier(what, text, node);
  }

  /** The same for a name that is not in the file as it is. */
  @Nullable String identifier(String what, String text, Node node) {
    if (Identifier.isValid(text)) {
      return text;
    }
    problems.add(
        node,
        what + ": found " + YamlNodes.quote(text) + " (expected: " + Identifier.EXPECTED + ")");
    return null;
  }

  @Nullable String text(String what, Node node, String expected) {
    if (node instanceof ScalarNode scalar && !YamlNodes.isNothing(node)) {
      return scalar.getValue();
    }
    problems.add(node, what + ": found " + YamlNodes.describe(node) + " " + expected);
    return null;
  }
}
