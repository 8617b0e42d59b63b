package io.headgate.control.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The demand of another region, as one of its controllers reports it.
 *
 * <p>The controllers of a region are replicas: each reports the whole demand, so they are never
 * summed. One is believed, and stays so while it is heard.
 */
final class RemoteRegion {

  /** For how many times as long as it is fresh the last demand of a region stays in force. */
  private static final int FORGET_TIMES = 10;

  private final String name;
  private final long freshNanos;
  private final Map<String, Replica> replicas = new TreeMap<>();
  private @Nullable Replica believed;

  /**
   * A region of which nothing is known.
   *
   * @param freshNanos for how long a report is fresh
   */
  RemoteRegion(String name, long freshNanos) {
    this.name = name;
    this.freshNanos = freshNanos;
  }

  String name() {
    return name;
  }

  /** Whether a later start of the same controller has reported. */
  boolean isOldEpoch(String controllerId, long epoch) {
    Replica known = replicas.get(controllerId);
    return known != null && Long.compareUnsigned(epoch, known.epoch) < 0;
  }

  /** A controller has reported the region's whole demand. */
  void report(String controllerId, long epoch, RateTable rates, long nowNanos) {
    Replica replica = new Replica(controllerId, epoch, rates, nowNanos);
    replicas.put(controllerId, replica);
    if (believed != null && believed.id.equals(controllerId)) {
      believed = replica;
    }
    choose(nowNanos);
  }

  /** Lets time pass: turns to another replica if the believed one is no longer heard. */
  void advance(long nowNanos) {
    choose(nowNanos);
    replicas
        .values()
        .removeIf(replica -> nowNanos - replica.reportedAtNanos > FORGET_TIMES * freshNanos);
    if (believed != null && !replicas.containsKey(believed.id)) {
      believed = null;
    }
  }

  /**
   * The rates that count now, or null if there are none. This is the one place that says what
   * counts of a region that is silent: its last demand, until that is forgotten.
   */
  @Nullable RateTable rates() {
    return believed == null ? null : believed.rates;
  }

  /** Whether the demand that counts is fresh. */
  boolean isFresh(long nowNanos) {
    return believed != null && isFresh(believed, nowNanos);
  }

  /** How long ago the believed replica has reported; negative if there is none. */
  long ageNanos(long nowNanos) {
    return believed == null ? -1 : nowNanos - believed.reportedAtNanos;
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
        return;
      }
    }
  }

  private boolean isFresh(Replica replica, long nowNanos) {
    return nowNanos - replica.reportedAtNanos <= freshNanos;
  }

  private record Replica(String id, long epoch, RateTable rates, long reportedAtNanos) {}
}
