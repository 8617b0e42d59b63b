package io.headgate.simulator.campaign;

import io.headgate.agent.BucketCounts;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import io.headgate.simulator.run.Sight;
import io.headgate.simulator.scenario.Event;
import io.headgate.simulator.scenario.Scenario;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Watches a world, and writes down each of its seconds. */
final class Watching {

  /** An agent that is connected reports each second. */
  static final double REPORTED_AFTER_SECONDS = 2;

  private static final double TOLERANCE_SECONDS = 1e-6;

  private final Scenario scenario;
  private final Quiet quiet;
  private final Map<String, Double> cutOffSince = new HashMap<>();
  private final Deque<Event.RuleChange> changes = new ArrayDeque<>();
  private final Set<String> onceDenied = new HashSet<>();
  private final Map<String, Long> dropsOfOthers = new HashMap<>();
  private List<Watched> watched = List.of();
  private List<Losses> losses = List.of();
  private @Nullable Double apartSince;

  /** The sights of the last seconds, the latest last. */
  private final List<Map<String, HostCounts>> past = new ArrayList<>();

  private double lastSeconds;

  Watching(Scenario scenario, Sight first) {
    this.scenario = scenario;
    this.quiet = new Quiet(scenario);
    for (Event event : scenario.events()) {
      if (event instanceof Event.RuleChange change) {
        changes.add(change);
      }
    }
    watch(scenario.rules(), first);
    past.add(counts(first));
    lastSeconds = first.seconds();
  }

  private void watch(List<ServiceRules> rules, Sight sight) {
    watched = Watched.all(scenario, rules, onceDenied, sight);
    losses = watched.stream().map(each -> new Losses(scenario.loop(), quiet)).toList();
    for (ServiceRules service : rules) {
      for (Rule rule : service.rules()) {
        if (rule.behavior() == Behavior.DENY) {
          onceDenied.add(rule.name());
        }
      }
    }
  }

  /** Looks at the ways to the zones; to be called often, because a way may be open for a moment. */
  void zones(List<Sight.ZoneSight> zones, double nowSeconds) {
    boolean apart = false;
    for (Sight.ZoneSight zone : zones) {
      apart |= !zone.withAllRegions();
      if (zone.reached()) {
        cutOffSince.remove(zone.zone());
      } else {
        cutOffSince.putIfAbsent(zone.zone(), nowSeconds);
      }
    }
    if (!apart) {
      apartSince = null;
    } else if (apartSince == null) {
      apartSince = nowSeconds;
    }
  }

  /** The second that has passed since the sight before. */
  Moment second(Sight now) {
    Map<String, HostCounts> before = past.get(past.size() - 1);
    Map<String, HostCounts> counts = counts(now);
    while (!changes.isEmpty() && changes.element().atSeconds() < now.seconds()) {
      watch(changes.remove().rules(), now);
    }
    boolean quietSecond = quiet.isSettled(lastSeconds, now.seconds());
    List<Moment.BucketSecond> buckets = new ArrayList<>();
    for (Watched each : watched) {
      boolean settled = quietSecond && each.isConnected(now.zones());
      buckets.add(each.second(now, before, counts, settled));
    }
    Moment moment =
        new Moment(
            now.seconds(),
            buckets,
            hosts(now, before, counts, quietSecond),
            now.rulings(),
            losses(now, before, counts));
    past.add(counts);
    lastSeconds = now.seconds();
    return moment;
  }

  private List<Moment.LossSecond> losses(
      Sight now, Map<String, HostCounts> before, Map<String, HostCounts> counts) {
    Losses.Since since = new Losses.Since(cutOffSince, apartSince);
    List<Moment.LossSecond> found = new ArrayList<>();
    for (int i = 0; i < watched.size(); i++) {
      Watched each = watched.get(i);
      Moment.@Nullable LossSecond loss =
          losses
              .get(i)
              .second(each, each.byZone(now, before, counts), since, lastSeconds, now.seconds());
      if (loss != null && each.denies()) {
        found.add(loss);
      }
    }
    return found;
  }

  private List<Moment.HostSecond> hosts(
      Sight now,
      Map<String, HostCounts> before,
      Map<String, HostCounts> counts,
      boolean quietSecond) {
    double openAfter = scenario.loop().ttlSeconds() + scenario.loop().rampSeconds();
    List<Moment.HostSecond> seconds = new ArrayList<>();
    for (Sight.HostSight host : now.hosts()) {
      HostCounts current = counts.get(host.name());
      if (!host.running() || current == null) {
        continue;
      }
      @Nullable Double since = cutOffSince.get(host.zone());
      HostCounts earlier = current.orNothing(before.get(host.name()));
      double dropRatio = 0;
      for (BucketCounts bucket : host.buckets()) {
        dropRatio = Math.max(dropRatio, bucket.dropRatio());
      }
      seconds.add(
          new Moment.HostSecond(
              host.name(),
              quietSecond && since == null,
              since == null ? 0 : now.seconds() - since,
              openAfter,
              dropRatio,
              current.dropped() - earlier.dropped(),
              new Moment.Ledger(
                  current.dropped() - dropsOfOthers(host.name(), earlier, current),
                  current.bucketsOffered(),
                  current.bucketsAdmitted(),
                  current.bucketsDropped(),
                  host.reported(),
                  current.orNothing(longAgo(host.name())).offeredTo(current.keys()))));
    }
    return seconds;
  }

  /** What buckets have dropped that the host had and has no more, because their rules are gone. */
  private long dropsOfOthers(String host, HostCounts earlier, HostCounts current) {
    if (earlier.buckets().isEmpty() && earlier.offered() == 0) {
      dropsOfOthers.remove(host); // It has just started.
    }
    if (!current.keys().containsAll(earlier.keys())) {
      dropsOfOthers.put(host, current.dropped() - current.bucketsDropped());
    }
    return dropsOfOthers.getOrDefault(host, 0L);
  }

  private @Nullable HostCounts longAgo(String host) {
    int back = (int) Math.round(REPORTED_AFTER_SECONDS);
    return past.size() < back ? null : past.get(past.size() - back).get(host);
  }

  private static Map<String, HostCounts> counts(Sight sight) {
    Map<String, HostCounts> counts = new HashMap<>();
    for (Sight.HostSight host : sight.hosts()) {
      counts.put(host.name(), HostCounts.of(host));
    }
    return counts;
  }

  /**
   * What a host had counted at one moment.
   *
   * @param startedSeconds when it had started
   * @param offered what was offered to it
   * @param admitted what of that passed
   * @param buckets its buckets
   */
  record HostCounts(
      double startedSeconds, long offered, long admitted, List<BucketCounts> buckets) {

    static HostCounts of(Sight.HostSight host) {
      return new HostCounts(host.startedSeconds(), host.offered(), host.admitted(), host.buckets());
    }

    /** The counts of an earlier moment, or none if the host has started since. */
    HostCounts orNothing(@Nullable HostCounts earlier) {
      return earlier == null || earlier.startedSeconds < startedSeconds - TOLERANCE_SECONDS
          ? new HostCounts(startedSeconds, 0, 0, List.of())
          : earlier;
    }

    long dropped() {
      return offered - admitted;
    }

    long bucketsOffered() {
      return buckets.stream().mapToLong(BucketCounts::offered).sum();
    }

    Set<BucketKey> keys() {
      Set<BucketKey> keys = new HashSet<>();
      buckets.forEach(bucket -> keys.add(key(bucket)));
      return keys;
    }

    /** What was offered to some buckets. */
    long offeredTo(Set<BucketKey> keys) {
      return buckets.stream()
          .filter(bucket -> keys.contains(key(bucket)))
          .mapToLong(BucketCounts::offered)
          .sum();
    }

    private static BucketKey key(BucketCounts bucket) {
      return new BucketKey(bucket.service(), bucket.rule(), bucket.caller(), bucket.procedure());
    }

    long bucketsAdmitted() {
      return buckets.stream().mapToLong(BucketCounts::admitted).sum();
    }

    long bucketsDropped() {
      return buckets.stream().mapToLong(BucketCounts::dropped).sum();
    }
  }
}
