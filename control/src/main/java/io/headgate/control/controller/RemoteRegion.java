package io.headgate.control.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The demand of another region, as one of its controllers reports it.
 *
 * <p>The controllers of a region are replicas: each reports the whole demand, so they are never
 * summed. One is believed, and stays so while it is heard.
 */
final class RemoteRegion {

  /** For how many times as long as it is fresh the last demand of a region is held. */
  private static final int HOLD_TIMES = 10;

  /** Controllers that can reach each other again are connected both ways within this time. */
  private static final long BOTH_WAYS_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final String name;
  private final int number;
  private final long freshNanos;
  private final Map<String, Replica> replicas = new TreeMap<>();
  private @Nullable Replica believed;
  private long believedAtNanos;
  private boolean news;
  private boolean cutOff;
  private long backSinceNanos;

  /**
   * A region of which nothing is known.
   *
   * @param number from 0, in the order in which regions turned up
   * @param freshNanos for how long a report is fresh
   */
  RemoteRegion(String name, int number, long freshNanos) {
    this.name = name;
    this.number = number;
    this.freshNanos = freshNanos;
  }

  String name() {
    return name;
  }

  int number() {
    return number;
  }

  /** Whether a later start of the same controller has reported. */
  boolean isOldEpoch(String controllerId, long epoch) {
    Replica known = replicas.get(controllerId);
    return known != null && Long.compareUnsigned(epoch, known.epoch) < 0;
  }

  /** A controller has reported the region's whole demand. */
  void report(String controllerId, long epoch, RateTable rates, long nowNanos) {
    if (believed == null) {
      backSinceNanos = nowNanos;
    }
    Replica replica = new Replica(controllerId, epoch, rates, nowNanos);
    replicas.put(controllerId, replica);
    if (believed != null && believed.id.equals(controllerId)) {
      believed = replica;
    }
    choose(nowNanos);
    if (replica.equals(believed)) {
      believedAtNanos = nowNanos;
      news = true;
    }
  }

  /**
   * Lets time pass: turns to another replica if the believed one is no longer heard.
   *
   * <p>A region that was cut off is not so any more when each hears the other. If each side went by
   * what it hears alone, one would take its part of all demand while the other still keeps to its
   * share.
   *
   * @param reached whether one of its controllers is connected, to be told of this region
   */
  void advance(long nowNanos, boolean reached) {
    choose(nowNanos);
    replicas
        .values()
        .removeIf(replica -> nowNanos - replica.reportedAtNanos > HOLD_TIMES * freshNanos);
    if (believed != null && !replicas.containsKey(believed.id)) {
      believed = null;
    }
    if (believed == null) {
      cutOff = true;
    } else if (reached || nowNanos - backSinceNanos >= BOTH_WAYS_NANOS) {
      cutOff = false;
    }
  }

  /**
   * The rates that count now, those of a region that is silent for the hold time too; or null if it
   * has been silent for longer and counts as cut off.
   */
  @Nullable RateTable rates() {
    return cutOff || believed == null ? null : believed.rates;
  }

  /** Whether it has been silent for longer than its last demand is held, and is not back yet. */
  boolean isCutOff() {
    return cutOff;
  }

  /** Whether it has reported since this was asked last. */
  boolean takeNews() {
    boolean taken = news;
    news = false;
    return taken;
  }

  /** Whether the demand that counts is fresh. */
  boolean isFresh(long nowNanos) {
    return believed != null && isFresh(believed, nowNanos);
  }

  /** How long ago the replica has reported that is believed, or was last. */
  long ageNanos(long nowNanos) {
    return nowNanos - believedAtNanos;
  }

  /** How long ago a replica has reported; negative if it has not. */
  long ageNanos(String controllerId, long nowNanos) {
    Replica replica = replicas.get(controllerId);
    return replica == null ? -1 : nowNanos - replica.reportedAtNanos;
  }

  /** The rates of all replicas. */
  List<RateTable> allRates() {
    List<RateTable> all = new ArrayList<>();
    replicas.values().forEach(replica -> all.add(replica.rates));
    return all;
  }

  private void choose(long nowNanos) {
    if (isFresh(nowNanos)) {
      return;
    }
    for (Replica replica : replicas.values()) {
      if (isFresh(replica, nowNanos)) {
        believed = replica;
        believedAtNanos = replica.reportedAtNanos;
        return;
      }
    }
  }

  private boolean isFresh(Replica replica, long nowNanos) {
    return nowNanos - replica.reportedAtNanos <= freshNanos;
  }

  private record Replica(String id, long epoch, RateTable rates, long reportedAtNanos) {}
}
