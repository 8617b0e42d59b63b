package io.headgate.simulator.campaign;

import io.headgate.agent.BucketCounts;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.Domain;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.simulator.run.Sight;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.scenario.Traffic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One bucket in one domain, with the hosts whose requests count there. */
final class Watched {

  private final BucketKey key;
  private final Domain domain;
  private final Rule rule;
  private final double limitPerSecond;
  private final boolean onceDenied;
  private final Set<String> hosts = new HashSet<>();
  private final Set<String> zones = new HashSet<>();

  /** What passed in each of the last seconds, as long as they were settled. */
  private final Deque<Long> passedLately = new ArrayDeque<>();

  private Watched(
      BucketKey key, Domain domain, Rule rule, double limitPerSecond, boolean onceDenied) {
    this.key = key;
    this.domain = domain;
    this.rule = rule;
    this.limitPerSecond = limitPerSecond;
    this.onceDenied = onceDenied;
  }

  private record Place(BucketKey key, Domain domain) {}

  /**
   * All that the hosts of a scenario can be counted in.
   *
   * @param rules the rules in force
   * @param onceDenied the names of rules that hosts may know as such that drop
   */
  static List<Watched> all(
      Scenario scenario, List<ServiceRules> rules, Set<String> onceDenied, Sight sight) {
    Map<String, Traffic> traffic = new HashMap<>();
    scenario.traffic().forEach(each -> traffic.put(each.name(), each));
    Map<String, String> regions = new HashMap<>();
    sight.zones().forEach(zone -> regions.put(zone.zone(), zone.region()));
    Map<Place, Watched> found = new LinkedHashMap<>();
    for (ServiceRules service : rules) {
      for (Rule rule : service.rules()) {
        for (Sight.HostSight host : sight.hosts()) {
          Traffic of = traffic.get(host.traffic());
          String region = regions.get(host.zone());
          if (of != null
              && region != null
              && of.service().equals(service.service())
              && rule.matches(of.caller(), of.procedure())) {
            Location location = new Location(region, host.zone());
            BucketKey key = BucketKey.of(service.service(), rule, of.caller(), of.procedure());
            Watched watched =
                found.computeIfAbsent(
                    new Place(key, rule.domain(location)),
                    place ->
                        new Watched(
                            key,
                            place.domain(),
                            rule,
                            rule.limit(location).perSecond(),
                            onceDenied.contains(rule.name())));
            watched.hosts.add(host.name());
            watched.zones.add(host.zone());
          }
        }
      }
    }
    return List.copyOf(found.values());
  }

  /** Whether all its zones are reached, and all regions where it counts everywhere together. */
  boolean isConnected(List<Sight.ZoneSight> now) {
    for (Sight.ZoneSight zone : now) {
      if (zones.contains(zone.zone())
          && !(zone.reached() && (zone.withAllRegions() || domain.scope() != Scope.GLOBAL))) {
        return false;
      }
    }
    return true;
  }

  /** What happened between two moments, by zone. */
  Map<String, Losses.ZoneSecond> byZone(
      Sight now, Map<String, Watching.HostCounts> before, Map<String, Watching.HostCounts> after) {
    Map<String, Losses.ZoneSecond> byZone = new HashMap<>();
    for (Sight.HostSight host : now.hosts()) {
      Watching.HostCounts current = after.get(host.name());
      if (current != null && hosts.contains(host.name())) {
        Watching.HostCounts earlier = current.orNothing(before.get(host.name()));
        long offered = offered(current) - offered(earlier);
        long passed = current.admitted() - earlier.admitted();
        byZone.merge(
            host.zone(),
            new Losses.ZoneSecond(offered, passed),
            (one, other) ->
                new Losses.ZoneSecond(
                    one.offered() + other.offered(), one.passed() + other.passed()));
      }
    }
    return byZone;
  }

  boolean denies() {
    return rule.behavior() == Behavior.DENY;
  }

  double limitPerSecond() {
    return limitPerSecond;
  }

  Scope scope() {
    return domain.scope();
  }

  private long offered(Watching.HostCounts counts) {
    return own(counts).stream().mapToLong(BucketCounts::offered).sum();
  }

  /** What happened between two moments. */
  Moment.BucketSecond second(
      Sight now,
      Map<String, Watching.HostCounts> before,
      Map<String, Watching.HostCounts> after,
      boolean settled) {
    double demand = 0;
    long offered = 0;
    long dropped = 0;
    long passed = 0;
    for (Sight.HostSight host : now.hosts()) {
      Watching.HostCounts current = after.get(host.name());
      if (current != null && hosts.contains(host.name())) {
        Watching.HostCounts earlier = current.orNothing(before.get(host.name()));
        demand += host.demandPerSecond();
        passed += current.admitted() - earlier.admitted();
        for (BucketCounts bucket : own(current)) {
          offered += bucket.offered();
          dropped += bucket.dropped();
        }
        for (BucketCounts bucket : own(earlier)) {
          offered -= bucket.offered();
          dropped -= bucket.dropped();
        }
      }
    }
    return new Moment.BucketSecond(
        name(),
        rule.behavior() == Behavior.DENY,
        rule.behavior() == Behavior.ALLOW && (settled || !onceDenied),
        settled,
        limitPerSecond,
        demand,
        offered,
        dropped,
        passed,
        passedLately(passed, settled));
  }

  private double passedLately(long passed, boolean settled) {
    if (!settled) {
      passedLately.clear();
      return 0;
    }
    passedLately.add(passed);
    if (passedLately.size() > NotAboveLimit.WINDOW_SECONDS) {
      passedLately.remove();
    }
    return passedLately.size() < NotAboveLimit.WINDOW_SECONDS
        ? 0
        : passedLately.stream().mapToLong(Long::longValue).average().orElse(0);
  }

  private List<BucketCounts> own(Watching.HostCounts counts) {
    List<BucketCounts> own = new ArrayList<>();
    for (BucketCounts bucket : counts.buckets()) {
      if (bucket.service().equals(key.service())
          && bucket.rule().equals(key.rule())
          && bucket.caller().equals(key.caller())
          && bucket.procedure().equals(key.procedure())) {
        own.add(bucket);
      }
    }
    return own;
  }

  String name() {
    String caller = key.caller().isEmpty() ? "" : " of " + key.caller();
    return key.rule() + caller + " in " + domain;
  }
}
