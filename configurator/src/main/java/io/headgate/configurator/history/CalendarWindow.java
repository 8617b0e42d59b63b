package io.headgate.configurator.history;

import io.headgate.configurator.series.TimeRange;
import io.headgate.core.rule.Domain;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Scope;

/**
 * A part of time that is unlike others.
 *
 * @param kind why
 * @param range when
 * @param service for which services
 * @param rule for which of their rules
 * @param place in which regions or zones
 * @param about what it was, for people
 */
public record CalendarWindow(
    WindowKind kind,
    TimeRange range,
    NamePattern service,
    NamePattern rule,
    NamePattern place,
    String about) {

  /**
   * Whether it is about a rule's calls in a domain. A failover moves calls from one region to
   * another, which changes nothing for a limit on all of them together; any other window of one
   * place is a part of the whole, too.
   */
  boolean concerns(String service, String rule, Domain domain) {
    if (!this.service.matches(service) || !this.rule.matches(rule)) {
      return false;
    }
    if (domain.scope() == Scope.GLOBAL) {
      return kind != WindowKind.FAILOVER;
    }
    return place.matches(domain.name());
  }
}
