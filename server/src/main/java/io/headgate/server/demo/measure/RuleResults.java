package io.headgate.server.demo.measure;

import io.headgate.core.rule.Domain;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import io.headgate.server.demo.measure.DemoResult.CallerResult;
import io.headgate.server.demo.measure.DemoResult.DomainResult;
import io.headgate.server.demo.measure.DemoResult.RuleResult;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Brings what was counted and the rules that counted it together. */
public final class RuleResults {

  private static final Comparator<Origin> BY_PLACE =
      Comparator.comparing((Origin origin) -> origin.location().region())
          .thenComparing(origin -> origin.location().zone())
          .thenComparing(Origin::caller);

  private RuleResults() {}

  /** The results of a service's rules, in judging order. */
  public static List<RuleResult> of(ServiceRules service, Interval interval) {
    return service.rules().stream().map(rule -> of(service.service(), rule, interval)).toList();
  }

  private static RuleResult of(String service, Rule rule, Interval interval) {
    RuleName name = new RuleName(service, rule.name());
    Counts all = interval.counts(name, origin -> true);
    return new RuleResult(
        service,
        rule.name(),
        rule.scope().toString(),
        rule.behavior().toString(),
        rule.limit().perSecond(),
        interval.perSecond(all.offered()),
        interval.perSecond(all.admitted()),
        all.dropRatio(),
        all.wouldDropRatio(),
        domains(rule, name, interval),
        callers(name, interval));
  }

  private static List<DomainResult> domains(Rule rule, RuleName name, Interval interval) {
    Map<Domain, Double> limits = new LinkedHashMap<>();
    for (Origin origin : origins(name, interval)) {
      limits.put(rule.domain(origin.location()), rule.limit(origin.location()).perSecond());
    }
    return limits.entrySet().stream()
        .map(entry -> domain(entry.getKey(), entry.getValue(), rule, name, interval))
        .toList();
  }

  private static DomainResult domain(
      Domain domain, double limitPerSecond, Rule rule, RuleName name, Interval interval) {
    Counts counts = interval.counts(name, origin -> rule.domain(origin.location()).equals(domain));
    return new DomainResult(
        domain.toString(),
        limitPerSecond,
        interval.perSecond(counts.offered()),
        interval.perSecond(counts.admitted()),
        counts.dropRatio());
  }

  private static List<CallerResult> callers(RuleName name, Interval interval) {
    return origins(name, interval).stream()
        .map(
            origin -> {
              Counts counts = interval.byOrigin(name).getOrDefault(origin, Counts.NONE);
              return new CallerResult(
                  origin.caller(),
                  origin.location().zone(),
                  interval.perSecond(counts.offered()),
                  counts.dropRatio());
            })
        .toList();
  }

  private static List<Origin> origins(RuleName name, Interval interval) {
    return interval.byOrigin(name).keySet().stream().sorted(BY_PLACE).toList();
  }
}
