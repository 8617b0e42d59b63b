package io.headgate.configurator.source.prometheus;

import static java.util.stream.Collectors.joining;

import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.source.MetricQuery;
import io.headgate.core.rule.NamePattern;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What to ask Prometheus for. In both expressions {@code $service} and {@code $rule} stand for
 * names, {@code $caller}, {@code $procedure}, {@code $domain} and {@code $apart} (the regions and
 * zones that have limits of their own) for regular expressions, to be used with {@code =~}, and
 * {@code $step} for the step, as {@code 60s}.
 *
 * @param offered gives the calls offered, per second, as one series
 * @param dropped gives the calls dropped, per second; may give no series
 * @param wouldDrop gives the calls that would have been dropped by a rule in shadow, per second
 * @param watched gives a number wherever a rule without a series has no demand; empty if such a
 *     rule is not known
 */
record Queries(String offered, String dropped, String wouldDrop, String watched) {

  /** The controllers' gauges: all of them show the same, so the greatest. */
  static final String OFFERED =
      "max(max_over_time(headgate_rule_offered_per_second"
          + "{service=\"$service\",rule=\"$rule\",domain=~\"$domain\",domain!~\"$apart\"}[$step]))";

  /**
   * A rule without demand has no gauge. It is asked for by itself, once for all rules: an {@code
   * or} in the expression above makes that take six times as long.
   */
  static final String WATCHED = "max(max_over_time(headgate_controller_config_version[$step]))";

  /** Calls that the rule dropped: while there are any, demand is not what it would be. */
  static final String DROPPED =
      "max(max_over_time(headgate_rule_dropped_per_second"
          + "{service=\"$service\",rule=\"$rule\",domain=~\"$domain\",domain!~\"$apart\"}[$step]))";

  /** Calls that a rule in shadow would have dropped. */
  static final String WOULD_DROP =
      "max(max_over_time(headgate_rule_would_drop_per_second"
          + "{service=\"$service\",rule=\"$rule\",domain=~\"$domain\",domain!~\"$apart\"}[$step]))";

  /** No domain is called so. */
  private static final String NOTHING = "-";

  private static final Pattern VARIABLE = Pattern.compile("\\$([a-z]+)");
  private static final Pattern SPECIAL = Pattern.compile("[\\\\^$.|?*+()\\[\\]{}]");

  /** The expression for a query. */
  String expression(MetricQuery query) {
    return filledIn(
        switch (query.measure()) {
          case OFFERED -> offered;
          case DROPPED -> dropped;
          case WOULD_DROP -> wouldDrop;
        },
        query);
  }

  /** The expression that tells no demand from nothing known. */
  String watchedExpression(MetricQuery query) {
    return filledIn(watched, query);
  }

  private static String filledIn(String expression, MetricQuery query) {
    Map<String, String> values =
        Map.of(
            "service", string(query.limit().service()),
            "rule", string(query.limit().rule().name()),
            "domain", string(domain(query.limit())),
            "apart", string(apart(query.limit())),
            "caller", string(regex(query.limit().rule().caller())),
            "procedure", string(regex(query.limit().rule().procedure())),
            "step", query.stepSeconds() + "s");
    Matcher matcher = VARIABLE.matcher(expression);
    return matcher.replaceAll(
        found ->
            Matcher.quoteReplacement(
                values.getOrDefault(found.group(1), String.valueOf(found.group()))));
  }

  private static String domain(LimitKey limit) {
    if (!limit.place().isEmpty()) {
      return "(region|zone):" + literal(limit.place());
    }
    return limit.isGlobal() ? "global" : limit.rule().scope() + ":.*";
  }

  private static String apart(LimitKey limit) {
    Set<String> places = limit.place().isEmpty() ? limit.rule().limitsAt().keySet() : Set.of();
    return places.isEmpty()
        ? NOTHING
        : places.stream()
            .sorted()
            .map(Queries::literal)
            .collect(joining("|", "(region|zone):(", ")"));
  }

  private static String literal(String text) {
    return SPECIAL.matcher(text).replaceAll("\\\\$0");
  }

  private static String regex(NamePattern pattern) {
    if (pattern.isAny()) {
      return ".*";
    }
    String text = pattern.toString();
    boolean prefix = text.endsWith("*");
    String name = prefix ? text.substring(0, text.length() - 1) : text;
    return literal(name) + (prefix ? ".*" : "");
  }

  /** As it stands within quotes in PromQL. */
  private static String string(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }
}
