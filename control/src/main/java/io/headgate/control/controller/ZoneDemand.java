package io.headgate.control.controller;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The demand of one zone: the sum of what its aggregators report, each about clients of its own.
 *
 * <p>When an aggregator is lost its clients go on and turn up at others, or at the same one after
 * its restart. Until then their demand is real but unheard, and afterwards it is heard twice if the
 * old rates still count. So the rates of a lost aggregator are held, less the share of its clients
 * by which the count of clients at the others has grown since. They are dropped after the hold time
 * in any case.
 *
 * @param <R> the rates of one aggregator
 */
final class ZoneDemand<R> {

  /** One run of one aggregator. */
  record Incarnation(String aggregatorId, long epoch) {}

  /**
   * An aggregator that is gone, or silent, and whose rates still count.
   *
   * @param clients how many clients it had
   * @param reportedAtNanos when its last report came
   */
  record Lost(Incarnation incarnation, int clients, long reportedAtNanos) {}

  /** Takes rates one after the other. */
  @FunctionalInterface
  interface Sink<R> {

    /** Takes a share, from 0 to 1, of an aggregator's rates. */
    void add(R rates, double share);
  }

  private final long silentNanos;
  private final long holdNanos;
  private final Map<Incarnation, Source<R>> live = new LinkedHashMap<>();
  private final Map<Incarnation, Held<R>> held = new LinkedHashMap<>();

  /** The clients of live aggregators, from which those that turn up are counted. */
  private long baseline;

  /** The share of the held clients that has not turned up; never grows. */
  private double absent = 1;

  /**
   * An empty zone.
   *
   * @param silentNanos how long after its last report an aggregator counts as lost
   * @param holdNanos how long after its loss an aggregator's rates count
   */
  ZoneDemand(long silentNanos, long holdNanos) {
    this.silentNanos = silentNanos;
    this.holdNanos = holdNanos;
  }

  /**
   * An aggregator has reported. Its rates replace those it had.
   *
   * @param clients how many clients it hears
   */
  void report(Incarnation incarnation, R rates, int clients, long nowNanos) {
    if (held.containsKey(incarnation)) {
      settle();
      held.remove(incarnation);
      baseline += clients;
    }
    Source<R> source = live.get(incarnation);
    if (source == null) {
      // One that joins brings clients of its own; they have not come from those here before.
      live.values().forEach(other -> other.others += clients);
      source = new Source<>(rates);
      live.put(incarnation, source);
    }
    source.rates = rates;
    source.clients = clients;
    source.others = liveClients() - clients;
    source.reportedAtNanos = nowNanos;
    countTurnedUp();
  }

  /** An aggregator's stream has ended without a goodbye; its clients see that at the same time. */
  void lost(Incarnation incarnation, long nowNanos) {
    Source<R> source = live.remove(incarnation);
    if (source != null) {
      settle();
      hold(incarnation, source, nowNanos);
    }
  }

  /** An aggregator has ended in good order: what it reported no longer holds. */
  void goodbye(Incarnation incarnation) {
    live.remove(incarnation);
    if (held.containsKey(incarnation)) {
      settle();
      held.remove(incarnation);
    }
  }

  /** Lets time pass: finds the silent, and forgets those held long enough. */
  void advance(long nowNanos) {
    for (Incarnation incarnation : List.copyOf(live.keySet())) {
      Source<R> source = live.get(incarnation);
      if (source != null && nowNanos - source.reportedAtNanos > silentNanos) {
        silent(incarnation, source, nowNanos);
      }
    }
    Iterator<Held<R>> each = held.values().iterator();
    boolean settled = false;
    while (each.hasNext()) {
      if (nowNanos - each.next().untilNanos >= 0) {
        if (!settled) {
          settle();
          settled = true;
        }
        each.remove();
      }
    }
  }

  /** Gives all rates that count, with the share to which they do. */
  void forEach(Sink<R> sink) {
    for (Source<R> source : live.values()) {
      sink.add(source.rates, 1);
    }
    for (Held<R> gone : held.values()) {
      sink.add(gone.source.rates, gone.share * absent);
    }
  }

  /** How many aggregators have rates that count. */
  int sources() {
    return live.size() + held.size();
  }

  /** The clients that live aggregators hear. */
  long liveClients() {
    long clients = 0;
    for (Source<R> source : live.values()) {
      clients += source.clients;
    }
    return clients;
  }

  /** The aggregators whose rates are held. */
  List<Lost> lost() {
    List<Lost> lost = new ArrayList<>();
    held.forEach(
        (incarnation, gone) ->
            lost.add(new Lost(incarnation, gone.source.clients, gone.source.reportedAtNanos)));
    return lost;
  }

  /** An aggregator no longer reports. Its clients may have left since its last report. */
  private void silent(Incarnation incarnation, Source<R> source, long nowNanos) {
    live.remove(incarnation);
    boolean first = held.isEmpty();
    settle();
    if (first) {
      baseline = source.others;
    }
    hold(incarnation, source, nowNanos);
  }

  private void hold(Incarnation incarnation, Source<R> source, long nowNanos) {
    held.put(incarnation, new Held<>(source, nowNanos + holdNanos));
    countTurnedUp();
  }

  private void countTurnedUp() {
    double waiting = 0;
    for (Held<R> gone : held.values()) {
      waiting += gone.share * gone.source.clients;
    }
    if (waiting > 0) {
      double turnedUp = liveClients() - baseline;
      absent = Math.min(absent, Math.max(0, 1 - turnedUp / waiting));
    }
  }

  /** Books what has turned up so far to each of the lost, and begins to count anew. */
  private void settle() {
    for (Held<R> gone : held.values()) {
      gone.share *= absent;
    }
    absent = 1;
    baseline = liveClients();
  }

  private static final class Source<R> {

    private R rates;
    private int clients;
    private long reportedAtNanos;

    /** The clients of the other aggregators at the time of its last report. */
    private long others;

    Source(R rates) {
      this.rates = rates;
    }
  }

  private static final class Held<R> {

    private final Source<R> source;
    private final long untilNanos;

    /** Of its clients, the share that had not turned up when that was last booked. */
    private double share = 1;

    Held(Source<R> source, long untilNanos) {
      this.source = source;
      this.untilNanos = untilNanos;
    }
  }
}
