package io.headgate.configurator.series;

import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.Scope;

/**
 * One limit: that of a rule, or the one that it has for a region or zone.
 *
 * @param service the service
 * @param rule its rule
 * @param place the region or zone; empty for the rule's own limit
 */
public record LimitKey(String service, Rule rule, String place) {

  /** Whether it is about calls everywhere together, and not of each region or zone apart. */
  public boolean isGlobal() {
    return place.isEmpty() && rule.scope() == Scope.GLOBAL;
  }

  /** What it is now. */
  public Rate current() {
    Rate atPlace = rule.limitsAt().get(place);
    return atPlace == null ? rule.limit() : atPlace;
  }

  /** The form for people: {@code payments/checkout}, {@code payments/checkout@eu-west}. */
  @Override
  public String toString() {
    return service + "/" + rule.name() + (place.isEmpty() ? "" : "@" + place);
  }
}
