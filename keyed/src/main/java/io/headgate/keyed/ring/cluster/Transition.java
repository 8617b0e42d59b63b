package io.headgate.keyed.ring.cluster;

import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.hash.HashRing;
import io.headgate.keyed.ring.peer.Peer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The time after a change of the ring in which buckets are on their way to their new owners. Until
 * its former owner has said that it has handed over everything, a key without a bucket here may
 * have one there.
 */
final class Transition {

  private final HashRing before;
  private final Map<String, Peer> peers;
  private final long untilMillis;
  private final long fingerprint;
  private final Map<String, Long> done;

  /**
   * Begins one.
   *
   * @param before the ring until now
   * @param peers the peers of that ring that can still be asked, by address
   * @param untilMillis when nobody is asked any more
   * @param fingerprint of the ring from now on
   * @param done for which ring a peer has handed over everything, by address; changes meanwhile
   */
  Transition(
      HashRing before,
      Map<String, Peer> peers,
      long untilMillis,
      long fingerprint,
      Map<String, Long> done) {
    this.before = before;
    this.peers = peers;
    this.untilMillis = untilMillis;
    this.fingerprint = fingerprint;
    this.done = done;
  }

  /** Whether a node owned a key until now. */
  boolean wasOwnedBy(String address, HitKey key) {
    return address.equals(before.owner(key.name(), key.key()));
  }

  @Nullable Peer formerOwnerOf(HitKey key, long nowMillis) {
    if (nowMillis >= untilMillis) {
      return null;
    }
    String owner = before.owner(key.name(), key.key());
    Peer peer = owner == null ? null : peers.get(owner);
    if (peer == null) {
      return null;
    }
    Long handedOver = done.get(owner);
    return handedOver != null && handedOver == fingerprint ? null : peer;
  }
}
