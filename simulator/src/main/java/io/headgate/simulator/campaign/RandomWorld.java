package io.headgate.simulator.campaign;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.core.shed.LawSettings;
import io.headgate.simulator.scenario.Event;
import io.headgate.simulator.scenario.Loop;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.scenario.Scenario.Region;
import io.headgate.simulator.scenario.Traffic;
import io.headgate.simulator.traffic.RateCurve;
import io.headgate.simulator.traffic.Spread;
import io.headgate.simulator.world.Weather;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Draws a world: places, network, rules, demand, and what goes wrong. */
final class RandomWorld {

  private static final String SERVICE = "payments";

  /** A world in which nothing goes wrong is about demand alone, and need not last as long. */
  private static final double CALM_SECONDS = 45;

  private static final double FAULTY_SECONDS = 70;

  private static final double CALM_SHARE = 0.3;

  /** Demand is not changed before the control plane has learned. */
  private static final double FIRST_CHANGE_SECONDS = 8;

  /** After this, before the end, demand is left alone, to be judged. */
  private static final double LAST_CHANGE_SECONDS = 20;

  /** Of one caller; more would take longer and show nothing else. */
  private static final double MOST_PER_SECOND = 2000;

  /**
   * By how much a clock is too fast or slow at most: ten times what a poor crystal is, and twice
   * what a clock is slewed by that is being set.
   */
  static final double MOST_DRIFT = 0.001;

  /** In half of all worlds clocks are this far from the true time, either way. */
  private static final double SKEW_SECONDS = 3600;

  private final Dice dice;
  private final List<Region> regions;

  private RandomWorld(Dice dice) {
    this.dice = dice;
    this.regions = drawRegions();
  }

  /** The world of a seed. */
  static Scenario draw(long seed) {
    return new RandomWorld(new Dice(seed)).draw("campaign-" + seed, seed);
  }

  private Scenario draw(String name, long seed) {
    boolean calm = dice.chance(CALM_SHARE);
    double seconds = calm ? CALM_SECONDS : FAULTY_SECONDS;
    Loop loop =
        new Loop(
            1, true, 1, dice.oneOf(3.0, 5.0), dice.oneOf(0.0, 2.0, 5.0, 10.0), LawSettings.DEFAULT);
    Weather weather = drawWeather();
    List<Traffic> traffic = drawTraffic(seconds);
    List<Rule> rules = drawRules(traffic);
    List<Event> events = new ArrayList<>();
    if (!calm) {
      events.addAll(new RandomFaults(dice, regions, traffic).draw());
    }
    boolean apart = dice.chance(0.5);
    if (dice.chance(0.4)) {
      events.addAll(drawRuleChanges(rules, traffic, seconds));
    }
    events.sort(Comparator.comparingDouble(Event::atSeconds));
    return new Scenario(
        name,
        "a world drawn by chance",
        seconds,
        seed,
        loop,
        weather,
        apart ? SKEW_SECONDS : 0,
        apart ? MOST_DRIFT : 0,
        regions,
        List.of(new ServiceRules(SERVICE, rules)),
        traffic,
        null,
        events,
        new Scenario.Watch(SERVICE, rules.get(0).name(), 0, 0, seconds),
        List.of());
  }

  private List<Region> drawRegions() {
    List<Region> drawn = new ArrayList<>();
    int count = dice.between(1, 3);
    for (int region = 1; region <= count; region++) {
      List<String> zones = new ArrayList<>();
      int zoneCount = dice.between(1, 3);
      for (int zone = 1; zone <= zoneCount; zone++) {
        zones.add("r" + region + "-z" + zone);
      }
      drawn.add(new Region("r" + region, zones, dice.between(1, 2), dice.between(1, 2)));
    }
    return drawn;
  }

  /**
   * Nothing is lost or overtaken within a stream: a link is a stream of TCP, and promises that.
   * What goes over several streams overtakes by jitter.
   */
  private Weather drawWeather() {
    long latencyNanos = (long) (1e6 * dice.spread(1, 60));
    return new Weather(
        latencyNanos,
        (long) (latencyNanos * dice.upTo(3)),
        0,
        dice.chance(0.3) ? dice.upTo(0.1) : 0,
        0);
  }

  private List<Traffic> drawTraffic(double seconds) {
    List<String> zones = regions.stream().flatMap(region -> region.zones().stream()).toList();
    List<Traffic> drawn = new ArrayList<>();
    int callers = dice.between(1, 3);
    for (int caller = 1; caller <= callers; caller++) {
      boolean retries = dice.chance(0.15);
      drawn.add(
          new Traffic(
              "caller-" + caller,
              zones.size() + dice.between(3, 12),
              zones,
              dice.oneOf(Spread.EQUAL, Spread.EQUAL, Spread.UNEQUAL, Spread.ONE_BUSY),
              SERVICE,
              "caller-" + caller,
              dice.oneOf("Charge", "Refund"),
              drawCurve(seconds),
              retries ? dice.between(2, 3) : 1,
              true,
              dice.chance(0.25) ? List.of(0, 2, 3, 5) : List.of()));
    }
    return drawn;
  }

  private RateCurve drawCurve(double seconds) {
    double usual = dice.spread(100, 800);
    List<RateCurve.Change> changes = new ArrayList<>();
    int count = dice.between(0, 3);
    double at = FIRST_CHANGE_SECONDS;
    for (int change = 0; change < count; change++) {
      at += dice.upTo((seconds - LAST_CHANGE_SECONDS - FIRST_CHANGE_SECONDS) / count);
      double over = dice.chance(0.4) ? dice.between(1, 5) : 0;
      changes.add(
          new RateCurve.Change(at, over, Math.min(MOST_PER_SECOND, usual * dice.spread(0.3, 5))));
      at += over;
    }
    return new RateCurve(usual * dice.spread(0.5, 2), changes, RateCurve.Wave.NONE);
  }

  private List<Rule> drawRules(List<Traffic> traffic) {
    List<Rule> drawn = new ArrayList<>();
    int count = dice.between(1, 4);
    for (int rule = 1; rule <= count; rule++) {
      drawn.add(drawRule("rule-" + rule, traffic));
    }
    return drawn;
  }

  private Rule drawRule(String name, List<Traffic> traffic) {
    Traffic of = traffic.get(dice.between(0, traffic.size() - 1));
    NamePattern caller = dice.chance(0.3) ? NamePattern.of(of.caller()) : NamePattern.any();
    NamePattern procedure = dice.chance(0.3) ? NamePattern.of(of.procedure()) : NamePattern.any();
    boolean perCaller = dice.chance(0.3);
    Scope scope = dice.oneOf(Scope.GLOBAL, Scope.GLOBAL, Scope.REGION, Scope.ZONE);
    double matching = 0;
    int callers = 0;
    for (Traffic each : traffic) {
      if (caller.matches(each.caller()) && procedure.matches(each.procedure())) {
        matching += each.rate().at(0);
        callers++;
      }
    }
    double perDomain = matching / domains(scope) / (perCaller ? callers : 1);
    Rate limit = Rate.perSecond(Math.max(20, Math.rint(perDomain * dice.spread(0.3, 3))));
    Map<String, Rate> limitsAt =
        dice.chance(0.15)
            ? Map.of(regions.get(0).name(), Rate.perSecond(2 * limit.perSecond()))
            : Map.of();
    return new Rule(
        name,
        caller,
        procedure,
        perCaller,
        false,
        limit,
        limitsAt,
        scope,
        dice.chance(0.2) ? Behavior.ALLOW : Behavior.DENY);
  }

  /** One or two changes of one rule each. */
  private List<Event> drawRuleChanges(List<Rule> rules, List<Traffic> traffic, double seconds) {
    List<Event> drawn = new ArrayList<>();
    List<Rule> inForce = new ArrayList<>(rules);
    double at = FIRST_CHANGE_SECONDS;
    int count = dice.between(1, 2);
    for (int change = 1; change <= count; change++) {
      at += dice.upTo((seconds - LAST_CHANGE_SECONDS - FIRST_CHANGE_SECONDS) / count);
      changeOne(inForce, "rule-" + (rules.size() + change), traffic);
      drawn.add(new Event.RuleChange(at, List.of(new ServiceRules(SERVICE, List.copyOf(inForce)))));
    }
    return drawn;
  }

  private void changeOne(List<Rule> rules, String nameOfNew, List<Traffic> traffic) {
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
      default -> rules.add(drawRule(nameOfNew, traffic));
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
    return Rate.perSecond(Math.max(20, Math.rint(limit.perSecond() * factor)));
  }

  private int domains(Scope scope) {
    return switch (scope) {
      case GLOBAL -> 1;
      case REGION -> regions.size();
      case ZONE -> regions.stream().mapToInt(region -> region.zones().size()).sum();
    };
  }
}
