package io.headgate.control.rules;

import io.headgate.control.yaml.Choice;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlMapping;
import io.headgate.control.yaml.YamlNodes;
import io.headgate.core.rule.RuleOptions;
import io.headgate.core.rule.Sampler;
import io.headgate.core.rule.WhenCutOff;
import io.headgate.core.shed.Level;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads the keys of a rule that most rules leave out. */
final class RuleOptionsReader {

  private static final Choice SAMPLERS = new Choice("auto", "independent", "stratified");
  private static final Choice WHEN_CUT_OFF = new Choice("share", "open");

  private static final String EXPECTED_CLASS =
      "(expected: 0, which is shed last, to " + (Level.CLASSES - 1) + ", which is shed first)";
  private static final String EXPECTED_GUARD = "(expected: off, or a factor from 1.5 to 10)";

  private static final Pattern CLASS = Pattern.compile("[0-5]");
  private static final Pattern FACTOR = Pattern.compile("\\d{1,2}(?:\\.\\d{1,17})?");

  private final Problems problems;
  private final RuleValues values;

  RuleOptionsReader(Problems problems, RuleValues values) {
    this.problems = problems;
    this.values = values;
  }

  /** The options of a rule, or null if one of them has a mistake. */
  @Nullable RuleOptions read(YamlMapping rule) {
    Integer criticality = criticality(rule.get("criticality"));
    String sampler = values.word("sampler", rule.get("sampler"), SAMPLERS, "auto");
    String whenCutOff = values.word("whenCutOff", rule.get("whenCutOff"), WHEN_CUT_OFF, "share");
    Double surgeGuard = surgeGuard(rule.get("surgeGuard"));
    if (criticality == null || sampler == null || whenCutOff == null || surgeGuard == null) {
      return null;
    }
    return new RuleOptions(
        criticality,
        Sampler.valueOf(sampler.toUpperCase(Locale.ROOT)),
        WhenCutOff.valueOf(whenCutOff.toUpperCase(Locale.ROOT)),
        surgeGuard);
  }

  private @Nullable Integer criticality(@Nullable Node node) {
    if (node == null) {
      return Level.DEFAULT_CLASS;
    }
    String text = values.text("criticality", node, EXPECTED_CLASS);
    if (text == null) {
      return null;
    }
    if (!CLASS.matcher(text).matches()) {
      problems.add(node, "criticality: found " + YamlNodes.quote(text) + " " + EXPECTED_CLASS);
      return null;
    }
    return Integer.valueOf(text);
  }

  private @Nullable Double surgeGuard(@Nullable Node node) {
    if (node == null) {
      return RuleOptions.NO_GUARD;
    }
    String text = values.text("surgeGuard", node, EXPECTED_GUARD);
    if (text == null) {
      return null;
    }
    if (text.equals("off")) {
      return RuleOptions.NO_GUARD;
    }
    double factor = FACTOR.matcher(text).matches() ? Double.parseDouble(text) : -1;
    if (factor < RuleOptions.LEAST_GUARD || factor > RuleOptions.MOST_GUARD) {
      problems.add(node, "surgeGuard: found " + YamlNodes.quote(text) + " " + EXPECTED_GUARD);
      return null;
    }
    return factor;
  }
}
