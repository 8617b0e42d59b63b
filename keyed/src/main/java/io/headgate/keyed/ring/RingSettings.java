package io.headgate.keyed.ring;

import io.headgate.keyed.ring.global.SyncSettings;
import io.headgate.keyed.ring.hash.Fnv;
import io.headgate.keyed.ring.hash.HashRing;
import io.headgate.keyed.ring.peer.PeerSettings;
import java.time.Duration;

/**
 * How a node behaves.
 *
 * @param cacheSize buckets at most, 1 or more
 * @param hash what the ring is made with; the same on all nodes
 * @param replicas points of a node on the ring; the same on all nodes
 * @param peers how other nodes are called
 * @param batching whether requests for one node are gathered
 * @param sync how nodes exchange hits
 * @param forceGlobal whether every request is treated as GLOBAL
 * @param whenUnreachable what a request gets whose owner cannot be reached
 * @param handOverTime how long former owners are asked for their buckets after the ring has changed
 */
public record RingSettings(
    int cacheSize,
    Fnv hash,
    int replicas,
    PeerSettings peers,
    boolean batching,
    SyncSettings sync,
    boolean forceGlobal,
    WhenUnreachable whenUnreachable,
    Duration handOverTime) {

  /** What Gubernator has where it has such a setting. */
  public static final RingSettings DEFAULT =
      new RingSettings(
          50_000,
          Fnv.FNV1,
          HashRing.DEFAULT_REPLICAS,
          new PeerSettings(1_000, Duration.ofNanos(500_000), Duration.ofMillis(500)),
          true,
          new SyncSettings(Duration.ofMillis(100), Duration.ofMillis(500), 1_000),
          false,
          WhenUnreachable.ERROR,
          Duration.ofSeconds(5));

  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public RingSettings {
    if (cacheSize < 1) {
      throw new IllegalArgumentException("cache size: " + cacheSize + " (expected: 1 or more)");
    }
    if (replicas < 1) {
      throw new IllegalArgumentException("replicas: " + replicas + " (expected: 1 or more)");
    }
    if (handOverTime.isNegative()) {
      throw new IllegalArgumentException(
          "hand-over time: " + handOverTime + " (expected: 0 or more)");
    }
  }

  /** The same with another answer for owners that cannot be reached. */
  public RingSettings with(WhenUnreachable other) {
    return new RingSettings(
        cacheSize, hash, replicas, peers, batching, sync, forceGlobal, other, handOverTime);
  }

  /** The same with another exchange of hits. */
  public RingSettings with(SyncSettings other) {
    return new RingSettings(
        cacheSize,
        hash,
        replicas,
        peers,
        batching,
        other,
        forceGlobal,
        whenUnreachable,
        handOverTime);
  }

  /** The same with other calls to peers. */
  public RingSettings with(PeerSettings other) {
    return new RingSettings(
        cacheSize,
        hash,
        replicas,
        other,
        batching,
        sync,
        forceGlobal,
        whenUnreachable,
        handOverTime);
  }
}
