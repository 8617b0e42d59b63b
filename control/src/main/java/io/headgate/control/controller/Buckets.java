package io.headgate.control.controller;

import io.headgate.control.status.BucketStatus;
import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.Domain;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.WhenCutOff;
import io.headgate.core.shed.LawSettings;
import io.headgate.core.shed.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All buckets that some stream has named, each once, with the rules in force and the zones of this
 * region. Those with demand are active; only these cost anything in a tick.
 */
final class Buckets {

  private static final Comparator<BucketStatus> STATUS_ORDER =
      Comparator.comparing(BucketStatus::service)
          .thenComparing(BucketStatus::rule)
          .thenComparing(BucketStatus::caller)
          .thenComparing(BucketStatus::procedure)
          .thenComparing(BucketStatus::domain);

  private final int max;
  private final LawSettings law;
  private final Map<BucketKey, Bucket> byKey = new HashMap<>();
  private final List<Location> zones = new ArrayList<>();
  private List<Bucket> active = new ArrayList<>();
  private Map<String, Map<String, Rule>> rules = Map.of();
  private CutOff cutOff = CutOff.NONE;
  private int sweep;

  Buckets(int max, LawSettings law) {
    this.max = max;
    this.law = law;
  }

  /** The bucket of a key, or null if there are as many as there may be. */
  @Nullable Bucket bucket(BucketKey key) {
    Bucket bucket = byKey.get(key);
    if (bucket == null && byKey.size() < max) {
      bucket = new Bucket(key, law);
      bucket.rule(rule(key), zones);
      byKey.put(key, bucket);
    }
    return bucket;
  }

  /** Puts rules in force. */
  void rules(RuleSet set) {
    Map<String, Map<String, Rule>> byService = new HashMap<>();
    set.services()
        .forEach(
            (service, of) -> {
              Map<String, Rule> byName = new HashMap<>();
              of.rules().forEach(rule -> byName.put(rule.name(), rule));
              byService.put(service, byName);
            });
    rules = byService;
    byKey.values().forEach(bucket -> bucket.rule(rule(bucket.key()), zones));
  }

  /** Takes a zone of this region in and gives it the next number, from 0. */
  int addZone(Location zone) {
    zones.add(zone);
    active.forEach(bucket -> bucket.place(zones));
    return zones.size() - 1;
  }

  /** The buckets with demand, and those that had some lately. */
  List<Bucket> active() {
    return active;
  }

  /** Forgets all demand, to be summed anew. */
  void clear() {
    for (Bucket bucket : active) {
      for (DomainDemand demand : bucket.domains()) {
        demand.clear();
      }
    }
  }

  /**
   * Adds what a stream of a zone has reported.
   *
   * @param obeying the share that can be told to shed, from 0 to 1
   * @param open the share that cannot
   */
  void addZoneDemand(int zone, RateTable rates, double obeying, double open) {
    for (int id = 1; id <= rates.lastId(); id++) {
      Bucket bucket = rates.bucket(id);
      if (bucket != null && rates.hasDemand(id) && activate(bucket)) {
        bucket.ofZone(zone).addOwn(rates, id, obeying, open);
      }
    }
  }

  /**
   * Adds what another region has reported, after what the zones of this one have.
   *
   * @param region its number
   * @param news whether it has reported since that was added last
   */
  void addRegionDemand(int region, RateTable rates, boolean news) {
    if (news) {
      noteNoDemand(region);
    }
    for (int id = 1; id <= rates.lastId(); id++) {
      Bucket bucket = rates.bucket(id);
      if (bucket != null && rates.hasDemand(id) && activate(bucket)) {
        DomainDemand global = bucket.global();
        if (global != null) {
          global.addOther(rates, id);
          if (news) {
            global.note(region, rates.offered(id));
          }
        }
      }
    }
  }

  /** Puts in force which regions are cut off. */
  void cutOff(CutOff cutOff) {
    this.cutOff = cutOff;
  }

  /** Applies the drop law to each active bucket in each of its domains. */
  void judge(long nowNanos) {
    double[] byLevel = new double[Level.COUNT];
    for (Bucket bucket : active) {
      for (DomainDemand demand : bucket.domains()) {
        boolean shared =
            demand.domain().equals(Domain.GLOBAL) && bucket.whenCutOff() == WhenCutOff.SHARE;
        demand.judge(nowNanos, byLevel, shared ? cutOff : CutOff.NONE);
      }
    }
  }

  /**
   * Forgets what is no longer used: the domains of buckets without demand, and buckets that none of
   * the streams names.
   */
  void sweep(Iterable<RateTable> inUse) {
    sweep++;
    for (RateTable rates : inUse) {
      for (int id = 1; id <= rates.lastId(); id++) {
        Bucket bucket = rates.bucket(id);
        if (bucket != null) {
          bucket.mark(sweep);
        }
      }
    }
    List<Bucket> still = new ArrayList<>();
    for (Bucket bucket : active) {
      if (bucket.isMarked(sweep) && !bucket.isIdle()) {
        still.add(bucket);
      } else {
        bucket.active(false, zones);
      }
    }
    active = still;
    byKey.values().removeIf(bucket -> !bucket.isMarked(sweep));
  }

  /** The buckets with demand or a directive, in each of their domains. */
  List<BucketStatus> status() {
    List<BucketStatus> all = new ArrayList<>();
    for (Bucket bucket : active) {
      Rule rule = bucket.rule();
      for (DomainDemand demand : bucket.domains()) {
        if (rule != null && !demand.isIdle()) {
          all.add(
              new BucketStatus(
                  bucket.key().service(),
                  bucket.key().rule(),
                  bucket.key().caller(),
                  bucket.key().procedure(),
                  demand.domain().toString(),
                  rule.behavior().toString(),
                  demand.limitPerSecond(),
                  demand.offered(),
                  demand.dropped(),
                  demand.wouldDrop(),
                  demand.dropRatio()));
        }
      }
    }
    all.sort(STATUS_ORDER);
    return all;
  }

  int size() {
    return byKey.size();
  }

  /** What a report of a region does not name is not offered there. */
  private void noteNoDemand(int region) {
    for (Bucket bucket : active) {
      DomainDemand global = bucket.global();
      if (global != null) {
        global.note(region, 0);
      }
    }
  }

  private boolean activate(Bucket bucket) {
    if (!bucket.isActive() && bucket.hasRule()) {
      bucket.active(true, zones);
      active.add(bucket);
    }
    return bucket.hasRule();
  }

  /** The rule that a key is about; none if it has a caller or procedure that the rule has not. */
  private @Nullable Rule rule(BucketKey key) {
    Rule rule = rules.getOrDefault(key.service(), Map.of()).get(key.rule());
    boolean fits =
        rule != null
            && (rule.perCaller() || key.caller().isEmpty())
            && (rule.perProcedure() || key.procedure().isEmpty());
    return fits ? rule : null;
  }
}
