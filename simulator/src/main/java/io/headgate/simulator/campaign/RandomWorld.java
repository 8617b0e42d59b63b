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

  /** For demand that does not change. */
  private static final double CONSTANT = Double.MAX_VALUE;

  /** Of so many worlds one is about a loss that lasts, and nothing else. */
  private static final double LOSS_SHARE = 0.06;

  /** What is drawn with dice of its own leaves what else is drawn for a seed as it is. */
  private static final long OWN_DICE = 0x9E3779B97F4A7C15L;

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
    Dice own = new Dice(seed ^ OWN_DICE);
    boolean calm = dice.chance(CALM_SHARE);
    boolean lossOnly = !calm && own.chance(LOSS_SHARE / (1 - CALM_SHARE));
    double seconds = calm ? CALM_SECONDS : FAULTY_SECONDS;
    Loop loop =
        new Loop(
            1, true, 1, dice.oneOf(3.0, 5.0), dice.oneOf(0.0, 2.0, 5.0, 10.0), LawSettings.DEFAULT);
    Weather weather = drawWeather();
    List<Traffic> traffic = drawTraffic(lossOnly ? CONSTANT : seconds);
    List<Rule> rules = drawRules(traffic);
    boolean apart = own.chance(0.5);
    List<Event> events = new ArrayList<>();
    if (lossOnly) {
      events.add(new RandomChanges(own, regions, traffic).loss(seconds));
    } else {
      if (!calm) {
        events.addAll(new RandomFaults(dice, regions, traffic).draw());
        events.addAll(new RandomChanges(own, regions, traffic).breaks());
      }
      if (own.chance(0.4)) {
        events.addAll(
            new RandomChanges(own, regions, traffic)
                .ofRules(
                    SERVICE,
                    rules,
                    FIRST_CHANGE_SECONDS,
                    seconds - LAST_CHANGE_SECONDS,
                    added -> drawRule(own, added, traffic)));
      }
      events.sort(Comparator.comparingDouble(Event::atSeconds));
    }
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
      double perSecond = Math.min(MOST_PER_SECOND, usual * dice.spread(0.3, 5));
      if (seconds < CONSTANT) {
        changes.add(new RateCurve.Change(at, over, perSecond));
      }
      at += over;
    }
    return new RateCurve(usual * dice.spread(0.5, 2), changes, RateCurve.Wave.NONE);
  }

  private List<Rule> drawRules(List<Traffic> traffic) {
    List<Rule> drawn = new ArrayList<>();
    int count = dice.between(1, 4);
    for (int rule = 1; rule <= count; rule++) {
      drawn.add(drawRule(dice, "rule-" + rule, traffic));
    }
    return drawn;
  }

  private Rule drawRule(Dice dice, String name, List<Traffic> traffic) {
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

  private int domains(Scope scope) {
    return switch (scope) {
      case GLOBAL -> 1;
      case REGION -> regions.size();
      case ZONE -> regions.stream().mapToInt(region -> region.zones().size()).sum();
    };
  }
}
