package io.headgate.keyed.ring.cluster;

import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.hash.Fnv;
import io.headgate.keyed.ring.hash.HashRing;
import io.headgate.keyed.ring.peer.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Keeps the topology up to date with what discovery finds. */
public final class Cluster {

  private final PeerInfo self;
  private final Fnv hash;
  private final int replicas;
  private final Duration handOverTime;
  private final Function<PeerInfo, Peer> connect;
  private final ScheduledExecutorService scheduler;
  private final LongSupplier millis;
  private final Map<String, Peer> peers = new HashMap<>();
  private final Set<Peer> leaving = new HashSet<>();
  private final Map<String, Long> handedOver = new ConcurrentHashMap<>();
  private volatile Topology topology;
  private Runnable changing = () -> {};
  private Consumer<Topology> listener = topology -> {};

  /**
   * Creates a cluster without nodes.
   *
   * @param self this node
   * @param handOverTime how long former owners are asked after a change
   * @param connect makes a peer of an address
   */
  public Cluster(
      PeerInfo self,
      Fnv hash,
      int replicas,
      Duration handOverTime,
      Function<PeerInfo, Peer> connect,
      ScheduledExecutorService scheduler,
      LongSupplier millis) {
    this.self = self;
    this.hash = hash;
    this.replicas = replicas;
    this.handOverTime = handOverTime;
    this.connect = connect;
    this.scheduler = scheduler;
    this.millis = millis;
    topology = build(List.of(), null);
  }

  /** Who is told of each change, before it. */
  public void beforeChange(Runnable newListener) {
    changing = newListener;
  }

  /** Who is told of each change, after it. */
  public void onChange(Consumer<Topology> newListener) {
    listener = newListener;
  }

  /** Who is in the cluster now. */
  public Topology topology() {
    return topology;
  }

  /** This node. */
  public PeerInfo self() {
    return self;
  }

  /** Notes that a peer has handed over all buckets that are not its own on a ring. */
  public void handedOver(String address, long fingerprint) {
    handedOver.put(address, fingerprint);
  }

  /** Takes over what discovery has found; the same peers in another order change nothing. */
  public synchronized void setPeers(List<PeerInfo> found) {
    Map<String, PeerInfo> infos = new LinkedHashMap<>();
    found.forEach(info -> infos.putIfAbsent(info.grpcAddress(), info));
    List<PeerInfo> unique = List.copyOf(infos.values());
    Topology before = topology;
    if (Set.copyOf(unique).equals(Set.copyOf(all(before)))) {
      return;
    }
    Map<String, Peer> gone = new HashMap<>(peers);
    for (PeerInfo info : unique) {
      Peer known = gone.get(info.grpcAddress());
      if (known != null && known.info().equals(info)) {
        gone.remove(info.grpcAddress());
      } else if (!info.grpcAddress().equals(self.grpcAddress())) {
        peers.put(info.grpcAddress(), connect.apply(info));
      }
    }
    Topology next = build(unique, before);
    changing.run();
    topology = next;
    before.end();
    gone.forEach((address, peer) -> peers.remove(address, peer));
    if (!gone.isEmpty()) {
      leaving.addAll(gone.values());
      scheduler.schedule(
          () -> closeAll(gone.values()), handOverTime.toMillis(), TimeUnit.MILLISECONDS);
    }
    listener.accept(next);
  }

  private synchronized void closeAll(Collection<Peer> gone) {
    gone.forEach(Peer::close);
    leaving.removeAll(gone);
  }

  private static List<PeerInfo> all(Topology topology) {
    List<PeerInfo> all = new ArrayList<>(topology.localInfos());
    all.addAll(topology.regionInfos());
    return all;
  }

  private Topology build(List<PeerInfo> infos, @Nullable Topology before) {
    List<PeerInfo> local = new ArrayList<>();
    Map<String, List<PeerInfo>> regions = new LinkedHashMap<>();
    boolean containsSelf = false;
    for (PeerInfo info : infos) {
      boolean isSelf = info.grpcAddress().equals(self.grpcAddress());
      containsSelf |= isSelf;
      if (isSelf || info.dataCenter().equals(self.dataCenter())) {
        local.add(info);
      } else {
        regions.computeIfAbsent(info.dataCenter(), name -> new ArrayList<>()).add(info);
      }
    }
    Topology.Ring ring = ringOf(local);
    Map<String, Topology.Ring> regionRings = new LinkedHashMap<>();
    List<PeerInfo> regionInfos = new ArrayList<>();
    regions.forEach(
        (name, members) -> {
          regionRings.put(name, ringOf(members));
          regionInfos.addAll(members);
        });
    List<Peer> members = new ArrayList<>();
    for (PeerInfo info : infos) {
      Peer peer = peers.get(info.grpcAddress());
      if (peer != null) {
        members.add(peer);
      }
    }
    return new Topology(
        ring,
        regionRings,
        Set.copyOf(members),
        List.copyOf(local),
        List.copyOf(regionInfos),
        containsSelf,
        before == null ? null : transition(before, ring.hashes()));
  }

  /** A node that joins asks those that owned its keys without it. */
  private @Nullable Transition transition(Topology before, HashRing next) {
    HashRing old = before.ring();
    if (!before.containsSelf()) {
      List<String> others =
          next.peers().stream().filter(peer -> !peer.equals(self.grpcAddress())).toList();
      old = new HashRing(hash, replicas, others);
    }
    if (old.peers().isEmpty()) {
      return null;
    }
    return new Transition(
        old,
        Map.copyOf(peers),
        millis.getAsLong() + handOverTime.toMillis(),
        next.fingerprint(),
        handedOver);
  }

  private Topology.Ring ringOf(List<PeerInfo> infos) {
    List<String> addresses = infos.stream().map(PeerInfo::grpcAddress).toList();
    @Nullable Peer[] at = new @Nullable Peer[addresses.size()];
    for (int i = 0; i < at.length; i++) {
      at[i] = peers.get(addresses.get(i));
    }
    return new Topology.Ring(new HashRing(hash, replicas, addresses), at);
  }

  /** Closes all connections. */
  public synchronized void close() {
    peers.values().forEach(Peer::close);
    peers.clear();
    leaving.forEach(Peer::close);
    leaving.clear();
  }
}
