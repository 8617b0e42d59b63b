package io.headgate.control.aggregator;

import io.headgate.core.rule.RuleSet;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The cumulative counts of the rules in force; those of a rule that is gone are gone with it. */
final class RuleTallies {

  private record Name(String service, String rule) {}

  private record Entry(RuleTally tally, List<Counter> counters) {}

  private final MeterRegistry registry;
  private final Tags tags;
  private final Map<Name, Entry> entries = new HashMap<>();

  /**
   * No counts yet.
   *
   * @param tags of every counter
   */
  RuleTallies(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  /** The counts of a rule in force. */
  RuleTally of(String service, String rule) {
    return entries.computeIfAbsent(new Name(service, rule), this::register).tally();
  }

  /** Forgets the rules that are no longer in force. */
  void keep(RuleSet rules) {
    entries
        .entrySet()
        .removeIf(
            entry -> {
              Name name = entry.getKey();
              if (rules.rule(name.service(), name.rule()) != null) {
                return false;
              }
              entry.getValue().counters().forEach(registry::remove);
              return true;
            });
  }

  /** Makes what was added visible. */
  void publish() {
    for (Entry entry : entries.values()) {
      entry.tally().publish();
    }
  }

  private Entry register(Name name) {
    List<Counter> counters = new ArrayList<>();
    for (String what : List.of("offered", "admitted", "dropped", "would.drop")) {
      counters.add(
          Counter.builder("headgate.rule." + what)
              .tags(tags)
              .tag("service", name.service())
              .tag("rule", name.rule())
              .register(registry));
    }
    return new Entry(
        new RuleTally(counters.get(0), counters.get(1), counters.get(2), counters.get(3)),
        counters);
  }
}
