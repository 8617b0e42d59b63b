package io.headgate.configurator.history;

import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.series.TimeRange;
import io.headgate.core.rule.NamePattern;

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
   * Whether it is about the calls of a limit. A failover moves calls from one region to another,
   * which changes nothing for a limit on all of them together; any other window of one place is a
   * part of the whole, too.
   */
  boolean concerns(LimitKey limit) {
    if (!service.matches(limit.service()) || !rule.matches(limit.rule().name())) {
      return false;
    }
    return limit.isGlobal()
        ? kind != WindowKind.FAILOVER
        : limit.place().isEmpty() || place.matches(limit.place());
  }
}
