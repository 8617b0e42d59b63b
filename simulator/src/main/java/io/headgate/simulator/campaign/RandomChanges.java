package io.headgate.simulator.campaign;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import io.headgate.simulator.scenario.Event;
import io.headgate.simulator.scenario.Scenario.Region;
import io.headgate.simulator.scenario.Traffic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Draws what happens to a world beside its {@link RandomFaults}. */
final class RandomChanges {

  private static final double BREAKS_SHARE = 0.3;
  private static final double FIRST_SECONDS = 8;
  private static final double LAST_SECONDS = 18;

  /** No limit is drawn that is lower: less says little in a second. */
  private static final double LEAST_LIMIT = 20;

  private final Dice dice;
  private final List<Region> regions;
  private final List<Traffic> traffic;

  RandomChanges(Dice dice, List<Region> regions, List<Traffic> traffic) {
    this.dice = dice;
    this.regions = regions;
    this.traffic = traffic;
  }

  /** One zone or region is lost, or two regions to one another, until the end. */
  Event loss(double seconds) {
    double at = dice.between(FIRST_SECONDS + 1, LAST_SECONDS);
    Region region = regions.get(dice.between(0, regions.size() - 1));
    Region other = regions.get(dice.between(0, regions.size() - 1));
    if (!other.equals(region) && dice.chance(0.4)) {
      return new Event.Cut(at, region.name(), other.name(), seconds - at);
    }
    String zone = region.zones().get(dice.between(0, region.zones().size() - 1));
    return new Event.Kill(at, "aggregator/" + zone + "/", 1);
  }

  /** Streams that break, in some worlds: each time what is under way on them is lost. */
  List<Event> breaks() {
    List<Event> drawn = new ArrayList<>();
    if (!dice.chance(BREAKS_SHARE)) {
      return drawn;
    }
    Region region = regions.get(dice.between(0, regions.size() - 1));
    String zone = region.zones().get(dice.between(0, region.zones().size() - 1));
    String node =
        switch (dice.between(1, 4)) {
          case 1 -> "aggregator/" + zone + "/1";
          case 2 -> "aggregator/";
          case 3 -> "controller/" + region.name() + "/";
          default -> traffic.get(0).name() + "/";
        };
    int times = dice.between(1, 4);
    double at = dice.between(FIRST_SECONDS, LAST_SECONDS);
    for (int time = 0; time < times; time++) {
      drawn.add(new Event.Break(at, node));
      at += dice.upTo(3);
    }
    return drawn;
  }

  /**
   * One or two changes of one rule each: another limit, another behavior, one rule less or more.
   *
   * @param before the rules at first
   * @param another draws a rule with a name
   */
  List<Event> ofRules(
      String service,
      List<Rule> before,
      double fromSeconds,
      double untilSeconds,
      Function<String, Rule> another) {
    List<Event> drawn = new ArrayList<>();
    List<Rule> rules = new ArrayList<>(before);
    double at = fromSeconds;
    int count = dice.between(1, 2);
    for (int change = 1; change <= count; change++) {
      at += dice.upTo((untilSeconds - fromSeconds) / count);
      changeOne(rules, "rule-" + (before.size() + change), another);
      drawn.add(new Event.RuleChange(at, List.of(new ServiceRules(service, List.copyOf(rules)))));
    }
    return drawn;
  }

  private void changeOne(List<Rule> rules, String nameOfNew, Function<String, Rule> another) {
    int which = dice.between(0, rules.size() - 1);
    Rule rule = rules.get(which);
    switch (dice.between(1, 4)) {
      case 1 -> rules.set(which, changed(rule, dice.spread(0.3, 3), rule.behavior()));
      case 2 -> {
        Behavior other = rule.behavior() == Behavior.DENY ? Behavior.ALLOW : Behavior.DENY;
        rules.set(which, changed(rule, 1, other));
      }
      case 3 -> {
        if (rules.size() > 1) {
          rules.remove(which);
        }
      }
      default -> rules.add(another.apply(nameOfNew));
    }
  }

  private static Rule changed(Rule rule, double factor, Behavior behavior) {
    Map<String, Rate> limitsAt = new HashMap<>();
    rule.limitsAt().forEach((place, limit) -> limitsAt.put(place, scaled(limit, factor)));
    return new Rule(
        rule.name(),
        rule.caller(),
        rule.procedure(),
        rule.perCaller(),
        rule.perProcedure(),
        scaled(rule.limit(), factor),
        limitsAt,
        rule.scope(),
        behavior);
  }

  private static Rate scaled(Rate limit, double factor) {
    return Rate.perSecond(Math.max(LEAST_LIMIT, Math.rint(limit.perSecond() * factor)));
  }
}
