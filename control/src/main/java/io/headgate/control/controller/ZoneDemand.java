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
 * by which the count of clients at the others has grown since. Those of clients that could have
 * turned up at another and have not are dropped after the hold time.
 *
 * <p>When all aggregators of the zone are lost there is no other to turn up at. The clients obey
 * their last directives until these run out, and then let more and more pass. From then on the held
 * demand counts as <i>open</i>: it takes its part of the limit and cannot be told to shed, so that
 * the other zones have to make room for it. Clients that are back and ask what is in force obey
 * again, before anything is known of their demand but what it was.
 *
 * @param <R> the rates of one aggregator
 */
final class ZoneDemand<R> {

  /**
   * How long is what.
   *
   * @param silentNanos how long after its last report an aggregator counts as lost
   * @param holdNanos how long after its loss the rates of an aggregator count if another is there
   * @param ttlNanos how long after its last report its clients obey their directives
   * @param rampNanos over how long after that they let go
   * @param forgetNanos how long after its loss its rates count if no other is there
   */
  record Timing(
      long silentNanos, long holdNanos, long ttlNanos, long rampNanos, long forgetNanos) {}

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

    /**
     * Takes shares, from 0 to 1, of an aggregator's rates.
     *
     * @param obeying the share of clients that do as they are told
     * @param open the share of clients that let everything pass
     */
    void add(R rates, double obeying, double open);
  }

  private final Timing timing;
  private final Map<Incarnation, Source<R>> live = new LinkedHashMap<>();
  private final Map<Incarnation, Held<R>> held = new LinkedHashMap<>();

  /** The clients of live aggregators, from which those that turn up are counted. */
  private long baseline;

  /** The share of the held clients that has not turned up; never grows. */
  private double absent = 1;

  /** Since when there has been a live aggregator without a gap. */
  private long liveSinceNanos;

  /** An empty zone. */
  ZoneDemand(Timing timing) {
    this.timing = timing;
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
    if (live.isEmpty()) {
      liveSinceNanos = nowNanos;
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

  /** So many clients have asked an aggregator what is in force, and have not reported to it yet. */
  void asking(Incarnation incarnation, int asking) {
    Source<R> source = live.get(incarnation);
    if (source != null) {
      source.asking = asking;
    }
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
      if (source != null && nowNanos - source.reportedAtNanos > timing.silentNanos) {
        silent(incarnation, source, nowNanos);
      }
    }
    Iterator<Held<R>> each = held.values().iterator();
    boolean settled = false;
    while (each.hasNext()) {
      Held<R> gone = each.next();
      if (isOver(gone, nowNanos)) {
        if (!settled) {
          settle();
          settled = true;
        }
        each.remove();
      } else {
        age(gone, nowNanos);
      }
    }
  }

  /** Gives all rates that count, with the shares to which they do. */
  void forEach(Sink<R> sink) {
    for (Source<R> source : live.values()) {
      sink.add(source.rates, 1, 0);
    }
    double unreached = unreached();
    for (Held<R> gone : held.values()) {
      double share = gone.share * absent;
      double open = gone.open * unreached;
      sink.add(gone.source.rates, share * (1 - open), share * open);
    }
  }

  /** How many aggregators have rates that count, and clients that may be told to shed. */
  int sources() {
    int sources = live.size();
    for (Held<R> gone : held.values()) {
      sources += gone.old ? 0 : 1;
    }
    return sources;
  }

  /** The clients that live aggregators hear. */
  long liveClients() {
    long clients = 0;
    for (Source<R> source : live.values()) {
      clients += source.clients;
    }
    return clients;
  }

  /** The clients that no aggregator hears and that are taken to let everything pass by now. */
  double openClients() {
    double clients = 0;
    for (Held<R> gone : held.values()) {
      clients += gone.source.clients * gone.share * absent * gone.open;
    }
    return clients * unreached();
  }

  /** The share of the held clients that have not been told what is in force. */
  private double unreached() {
    long asking = 0;
    for (Source<R> source : live.values()) {
      asking += source.asking;
    }
    return asking == 0 ? 1 : Math.max(0, 1 - asking / Math.max(1, heldClients()));
  }

  /** The clients that no aggregator hears and whose rates count nevertheless. */
  double heldClients() {
    double clients = 0;
    for (Held<R> gone : held.values()) {
      clients += gone.source.clients * gone.share * absent;
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
    held.put(incarnation, new Held<>(source, nowNanos));
    countTurnedUp();
  }

  private boolean isOver(Held<R> gone, long nowNanos) {
    if (live.isEmpty()) {
      return nowNanos - gone.lostAtNanos >= timing.forgetNanos;
    }
    // After a time without any, clients can turn up only from the first that is back.
    return nowNanos - gone.lostAtNanos >= timing.holdNanos
        && nowNanos - liveSinceNanos >= timing.holdNanos;
  }

  /** Clients that can turn up elsewhere find new directives there, and do not let go. */
  private void age(Held<R> gone, long nowNanos) {
    gone.old = nowNanos - gone.lostAtNanos >= timing.holdNanos;
    if (gone.old && (live.isEmpty() || gone.open > 0)) {
      double sinceTtl = nowNanos - gone.source.reportedAtNanos - timing.ttlNanos;
      gone.open = Math.min(1, Math.max(0, sinceTtl / Math.max(1, timing.rampNanos)));
    }
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
    private int asking;
    private long reportedAtNanos;

    /** The clients of the other aggregators at the time of its last report. */
    private long others;

    Source(R rates) {
      this.rates = rates;
    }
  }

  private static final class Held<R> {

    private final Source<R> source;
    private final long lostAtNanos;

    /** Of its clients, the share that had not turned up when that was last booked. */
    private double share = 1;

    /** Of these, the share that lets everything pass. */
    private double open;

    /** Whether it has been held for so long that its clients obey no directive. */
    private boolean old;

    Held(Source<R> source, long lostAtNanos) {
      this.source = source;
      this.lostAtNanos = lostAtNanos;
    }
  }
}
