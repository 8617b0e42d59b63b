package io.headgate.control.rules;

import static java.util.stream.Collectors.joining;

import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleOptions;
import io.headgate.core.rule.ServiceRules;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Writes one service as a YAML document. */
final class RuleWriter {

  /** What reads as a string in block and in flow context, whatever the reader's YAML version. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./+-]*\\*?");

  private static final Set<String> RESERVED =
      Set.of("null", "true", "false", "yes", "no", "on", "off", "y", "n");

  private RuleWriter() {}

  static void append(ServiceRules service, StringBuilder yaml) {
    yaml.append("service: ").append(scalar(service.service())).append('\n');
    if (service.rules().isEmpty()) {
      yaml.append("rules: []\n");
      return;
    }
    yaml.append("rules:\n");
    service.rules().forEach(rule -> append(rule, yaml));
  }

  private static void append(Rule rule, StringBuilder yaml) {
    yaml.append("  - name: ").append(scalar(rule.name())).append('\n');
    List<String> match = new ArrayList<>();
    addPattern("caller", rule.caller(), match);
    addPattern("procedure", rule.procedure(), match);
    if (!match.isEmpty()) {
      line("match", "{ " + String.join(", ", match) + " }", yaml);
    }
    List<String> per = new ArrayList<>();
    if (rule.perCaller()) {
      per.add("caller");
    }
    if (rule.perProcedure()) {
      per.add("procedure");
    }
    if (!per.isEmpty()) {
      line("per", "[" + String.join(", ", per) + "]", yaml);
    }
    line("limit", rule.limit().toString(), yaml);
    if (!rule.limitsAt().isEmpty()) {
      line(
          "limits",
          new TreeMap<>(rule.limitsAt())
              .entrySet().stream()
                  .map(place -> scalar(place.getKey()) + ": " + place.getValue())
                  .collect(joining(", ", "{ ", " }")),
          yaml);
    }
    line("scope", rule.scope().toString(), yaml);
    line("behavior", rule.behavior().toString(), yaml);
    append(rule.options(), yaml);
  }

  /** Leaves out what is as usual: few rules have any of these. */
  private static void append(RuleOptions options, StringBuilder yaml) {
    if (options.criticality() != RuleOptions.DEFAULT.criticality()) {
      line("criticality", Integer.toString(options.criticality()), yaml);
    }
    if (options.sampler() != RuleOptions.DEFAULT.sampler()) {
      line("sampler", options.sampler().toString(), yaml);
    }
    if (options.whenCutOff() != RuleOptions.DEFAULT.whenCutOff()) {
      line("whenCutOff", options.whenCutOff().toString(), yaml);
    }
    if (options.isGuarded()) {
      BigDecimal factor = BigDecimal.valueOf(options.surgeGuard());
      line("surgeGuard", factor.stripTrailingZeros().toPlainString(), yaml);
    }
  }

  private static void addPattern(String key, NamePattern pattern, List<String> match) {
    if (!pattern.isAny()) {
      match.add(key + ": " + scalar(pattern.toString()));
    }
  }

  private static void line(String key, String value, StringBuilder yaml) {
    yaml.append("    ").append(key).append(": ").append(value).append('\n');
  }

  private static String scalar(String text) {
    return PLAIN.matcher(text).matches() && !RESERVED.contains(text.toLowerCase(Locale.ROOT))
        ? text
        : "'" + text.replace("'", "''") + "'";
  }
}
