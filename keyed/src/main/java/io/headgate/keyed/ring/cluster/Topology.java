package io.headgate.keyed.ring.cluster;

import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.hash.HashRing;
import io.headgate.keyed.ring.peer.Peer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who is in the cluster at one time. Keys are owned within a data center; each has a ring of its
 * own.
 */
public final class Topology {

  private final Ring local;
  private final Map<String, Ring> regions;
  private final Set<Peer> members;
  private final List<PeerInfo> localInfos;
  private final List<PeerInfo> regionInfos;
  private final boolean containsSelf;
  private final @Nullable Transition transition;
  private final BooleanSupplier over = () -> this.ended;
  private volatile boolean ended;

  /** A ring and the peers at its positions; null for this node. */
  record Ring(HashRing hashes, @Nullable Peer[] peers) {
    @Nullable Peer ownerOf(HitKey key) {
      int index = hashes.ownerIndex(key.name(), key.key());
      return index < 0 ? null : peers[index];
    }
  }

  Topology(
      Ring local,
      Map<String, Ring> regions,
      Set<Peer> members,
      List<PeerInfo> localInfos,
      List<PeerInfo> regionInfos,
      boolean containsSelf,
      @Nullable Transition transition) {
    this.local = local;
    this.regions = regions;
    this.members = members;
    this.localInfos = localInfos;
    this.regionInfos = regionInfos;
    this.containsSelf = containsSelf;
    this.transition = transition;
  }

  /**
   * Whether another one has taken the place of this one. Buckets leave this node only after that
   * can be seen: whoever counts in a bucket asks this while nobody can take it away.
   */
  public BooleanSupplier over() {
    return over;
  }

  /** Another one is in force by now. */
  void end() {
    ended = true;
  }

  /** Whether nobody is known, so that nobody owns anything. */
  public boolean isEmpty() {
    return localInfos.isEmpty();
  }

  /** The owner of a key in this data center; null if it is this node. */
  public @Nullable Peer ownerOf(HitKey key) {
    return local.ownerOf(key);
  }

  /** Who may still hold the bucket of a key that this node owns now; null if nobody does. */
  public @Nullable Peer formerOwnerOf(HitKey key, long nowMillis) {
    Transition change = transition;
    return change == null ? null : change.formerOwnerOf(key, nowMillis);
  }

  /** Whether a node owned a key before the last change. */
  public boolean wasOwnedBy(String address, HitKey key) {
    Transition change = transition;
    return change != null && change.wasOwnedBy(address, key);
  }

  /** The names of the other data centers. */
  public Set<String> regions() {
    return regions.keySet();
  }

  /** The owner of a key in another data center; null if there is none. */
  public @Nullable Peer ownerIn(String region, HitKey key) {
    Ring ring = regions.get(region);
    return ring == null ? null : ring.ownerOf(key);
  }

  /** Whether a peer is in the cluster. */
  public boolean contains(Peer peer) {
    return members.contains(peer);
  }

  /** All other nodes. */
  public Set<Peer> members() {
    return members;
  }

  /** The other nodes of this data center. */
  public List<Peer> localPeers() {
    return Arrays.stream(local.peers()).filter(Objects::nonNull).map(peer -> (Peer) peer).toList();
  }

  /** The nodes of this data center, this one among them. */
  public List<PeerInfo> localInfos() {
    return localInfos;
  }

  /** The nodes of other data centers. */
  public List<PeerInfo> regionInfos() {
    return regionInfos;
  }

  /** Whether this node is among those that were found. */
  public boolean containsSelf() {
    return containsSelf;
  }

  /** A number that nodes with the same peers share. */
  public long fingerprint() {
    return local.hashes().fingerprint();
  }

  HashRing ring() {
    return local.hashes();
  }
}
