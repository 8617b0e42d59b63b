package io.headgate.control.controller;

import io.headgate.core.rule.Domain;
import io.headgate.core.rule.RuleSet;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Gauges for each rule in each domain. A rule per caller or procedure has one set of them for all
 * its buckets: the sums of their rates and the worst of their drop ratios, so that callers cannot
 * make time series without end.
 */
final class RuleGauges {

  /** After this many updates without demand the gauges of a rule in a domain are taken away. */
  private static final int KEEP_UPDATES = 300;

  private record RuleInDomain(String service, String rule, Domain domain) {}

  private record Figures(
      double limit,
      double offered,
      double held,
      double dropped,
      double wouldDrop,
      double dropRatio) {

    static final Figures NONE = new Figures(0, 0, 0, 0, 0, 0);

    double admitted() {
      return Math.max(0, offered - dropped);
    }
  }

  private final MeterRegistry registry;
  private final Tags tags;
  private final Map<RuleInDomain, Gauges> gauges = new HashMap<>();

  RuleGauges(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  /** Shows what the buckets say now. */
  void update(List<Bucket> active) {
    for (Bucket bucket : active) {
      for (DomainDemand demand : bucket.domains()) {
        if (!demand.isIdle()) {
          gaugesOf(bucket, demand).add(demand);
        }
      }
    }
    Iterator<Gauges> each = gauges.values().iterator();
    while (each.hasNext()) {
      Gauges of = each.next();
      of.publish();
      if (of.idleUpdates > KEEP_UPDATES) {
        of.remove();
        each.remove();
      }
    }
  }

  /** Takes away the gauges of rules that are not in {@code rules}. */
  void retain(RuleSet rules) {
    gauges
        .entrySet()
        .removeIf(
            entry -> {
              RuleInDomain key = entry.getKey();
              boolean gone = rules.rule(key.service(), key.rule()) == null;
              if (gone) {
                entry.getValue().remove();
              }
              return gone;
            });
  }

  private Gauges gaugesOf(Bucket bucket, DomainDemand demand) {
    Gauges known = demand.gauges();
    if (known == null || known.removed) {
      RuleInDomain key =
          new RuleInDomain(bucket.key().service(), bucket.key().rule(), demand.domain());
      known = gauges.computeIfAbsent(key, Gauges::new);
      demand.gauges(known);
    }
    return known;
  }

  void close() {
    gauges.values().forEach(Gauges::remove);
    gauges.clear();
  }

  /** The gauges of one rule in one domain. */
  final class Gauges {

    private final List<Meter> meters = new ArrayList<>();
    private volatile Figures shown = Figures.NONE;
    private int idleUpdates;

    private double limit;
    private double offered;
    private double held;
    private double dropped;
    private double wouldDrop;
    private double dropRatio;
    private boolean touched;
    private boolean removed;

    Gauges(RuleInDomain key) {
      Tags of =
          tags.and("service", key.service(), "rule", key.rule(), "domain", key.domain().toString());
      gauge("headgate.rule.limit.per.second", "the limit of one bucket", of, Figures::limit);
      gauge(
          "headgate.rule.offered.per.second",
          "calls judged, before the rule's drop",
          of,
          Figures::offered);
      gauge(
          "headgate.rule.held.per.second",
          "of these, calls of hosts that cannot be told to drop; they take their part of the limit",
          of,
          Figures::held);
      gauge("headgate.rule.admitted.per.second", "calls let pass", of, Figures::admitted);
      gauge("headgate.rule.dropped.per.second", "calls dropped", of, Figures::dropped);
      gauge(
          "headgate.rule.would.drop.per.second",
          "calls that would have been dropped were the rule not in shadow",
          of,
          Figures::wouldDrop);
      gauge(
          "headgate.rule.drop.ratio",
          "the share of calls to drop, of the bucket with the greatest",
          of,
          Figures::dropRatio);
    }

    private void gauge(String name, String what, Tags of, ToDoubleFunction<Figures> figure) {
      meters.add(
          Gauge.builder(name, this, gauges -> figure.applyAsDouble(gauges.shown))
              .description(what)
              .tags(of)
              .strongReference(true)
              .register(registry));
    }

    void add(DomainDemand demand) {
      touched = true;
      limit = demand.limitPerSecond();
      offered += demand.offered();
      held += demand.held();
      dropped += demand.dropped();
      wouldDrop += demand.wouldDrop();
      dropRatio = Math.max(dropRatio, demand.dropRatio());
    }

    void publish() {
      idleUpdates = touched ? 0 : idleUpdates + 1;
      shown = new Figures(limit, offered, held, dropped, wouldDrop, dropRatio);
      offered = 0;
      held = 0;
      dropped = 0;
      wouldDrop = 0;
      dropRatio = 0;
      touched = false;
    }

    void remove() {
      removed = true;
      meters.forEach(registry::remove);
    }
  }
}
