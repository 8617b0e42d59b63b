package io.headgate.server.demo.screen;

import io.headgate.core.rule.Domain;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.server.demo.measure.Counts;
import io.headgate.server.demo.measure.Interval;
import io.headgate.server.demo.measure.RuleName;
import io.headgate.server.terminal.TextTable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A table of what became of calls, by rule and by where they came from. */
public final class RuleTable {

  private static final int RULE_WIDTH = 22;
  private static final int WHERE_WIDTH = 16;

  private final List<Location> locations;

  /** A table over these places, in this order. */
  public RuleTable(List<Location> locations) {
    this.locations = locations.stream().distinct().toList();
  }

  /**
   * The table's lines, none longer than 100 columns.
   *
   * @param zones whether each zone of a wider limit has a line of its own
   */
  public List<String> lines(ServiceRules service, Interval interval, boolean zones) {
    TextTable table =
        new TextTable()
            .text("RULE", RULE_WIDTH)
            .text("WHERE", WHERE_WIDTH)
            .number("LIMIT/S")
            .number("OFFERED/S")
            .number("ADMITTED/S")
            .number("DROP %")
            .number("WOULD %");
    for (Rule rule : service.rules()) {
      RuleName name = new RuleName(service.service(), rule.name());
      String title = rule.name();
      for (Domain domain : domains(rule)) {
        row(table, title, rule, domain, interval, name);
        title = "";
        if (zones && domain.scope() != Scope.ZONE) {
          zoneRows(table, rule, domain, interval, name);
        }
      }
    }
    return table.lines();
  }

  private Set<Domain> domains(Rule rule) {
    Set<Domain> domains = new LinkedHashSet<>();
    locations.forEach(location -> domains.add(rule.domain(location)));
    return domains;
  }

  private void row(
      TextTable table, String title, Rule rule, Domain domain, Interval interval, RuleName name) {
    Location first =
        locations.stream().filter(at -> rule.domain(at).equals(domain)).findFirst().orElseThrow();
    Counts counts = interval.counts(name, from -> rule.domain(from.location()).equals(domain));
    String each = rule.perCaller() || rule.perProcedure() ? " each" : "";
    String where = domain.name().isEmpty() ? domain.toString() : domain.name();
    numbers(table, title, where, rate(rule.limit(first).perSecond()) + each, counts, interval);
  }

  private void zoneRows(
      TextTable table, Rule rule, Domain domain, Interval interval, RuleName name) {
    for (Location location : locations) {
      if (rule.domain(location).equals(domain)) {
        Counts counts = interval.counts(name, from -> from.location().equals(location));
        numbers(table, "", "  " + location.zone(), "", counts, interval);
      }
    }
  }

  private static void numbers(
      TextTable table, String title, String where, String limit, Counts counts, Interval interval) {
    table.row(
        title,
        where,
        limit,
        rate(interval.perSecond(counts.offered())),
        rate(interval.perSecond(counts.admitted())),
        percent(counts.dropRatio()),
        counts.wouldDrop() == 0 ? "" : percent(counts.wouldDropRatio()));
  }

  /** Below 100 the tenths matter, above they are noise. */
  static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 99.95 ? "%.1f" : "%,.0f", perSecond);
  }

  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%.1f", 100 * ratio);
  }
}
