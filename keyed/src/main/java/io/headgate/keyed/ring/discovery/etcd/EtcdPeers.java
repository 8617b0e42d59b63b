package io.headgate.keyed.ring.discovery.etcd;

import io.etcd.jetcd.Watch;
import io.headgate.keyed.ring.discovery.PeerDiscovery;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.discovery.PeerNews;
import io.headgate.keyed.ring.discovery.Polling;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Peers that make themselves known in etcd: each puts its address and data center under a key with
 * a lease, and keeps the lease alive. Keys and values are those of Gubernator, so that its nodes
 * and ours see one another.
 *
 * <p>While etcd cannot be reached the last peers stay, and {@link #problem()} says so. A lease that
 * is lost, because etcd was away for longer than it lasts or has forgotten everything, is taken
 * anew.
 */
public final class EtcdPeers implements PeerDiscovery {

  /*
   * One thread does everything, a round at a time: keep the lease, list the peers, wait. The watch
   * only says that a round should begin now. So nothing depends on whether a watch survives what
   * happens to etcd and to the connection, and a change that it misses is seen a round later.
   */

  private static final System.Logger log = System.getLogger(EtcdPeers.class.getName());

  /** Rounds in the life of a lease. */
  private static final int ROUNDS_PER_LEASE = 3;

  private static final long NO_LEASE = 0;

  private final PeerInfo self;
  private final Duration lease;
  private final Duration operationTimeout;
  private final Duration backOff;
  private final EtcdRegistry registry;
  private final PeerNews news = new PeerNews();
  private final AtomicBoolean watchEnded = new AtomicBoolean();
  private volatile @Nullable Polling polling;
  private Watch.@Nullable Watcher watcher;
  private boolean registered;
  private volatile long leaseId = NO_LEASE;
  private volatile boolean answered;

  EtcdPeers(EtcdPeersBuilder settings) {
    self = settings.self;
    lease = settings.lease;
    operationTimeout = settings.operationTimeout;
    backOff = settings.backOff;
    registry = new EtcdRegistry(settings);
  }

  /**
   * Peers in etcd.
   *
   * @param self this node, as it makes itself known
   */
  public static EtcdPeersBuilder builder(PeerInfo self) {
    return new EtcdPeersBuilder(self);
  }

  @Override
  public void start(Consumer<List<PeerInfo>> listener) {
    news.start(listener);
    polling = Polling.start("headgate-etcd-peers", this::round);
  }

  private Duration round() throws InterruptedException {
    try {
      register();
      EtcdRegistry.Listing listing = registry.list();
      answered = true;
      List<PeerInfo> peers = new ArrayList<>(listing.peers());
      if (peers.stream().noneMatch(peer -> peer.grpcAddress().equals(self.grpcAddress()))) {
        registry.put(self, leaseId); // somebody deleted it
        peers.add(self);
      }
      news.peers(peers);
      news.problem(
          listing.problems().isEmpty()
              ? ""
              : "peers in etcd: " + String.join("; ", listing.problems()));
      watch(listing.revision() + 1);
      return lease.dividedBy(ROUNDS_PER_LEASE);
    } catch (ExecutionException e) {
      return failed(String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()));
    } catch (TimeoutException e) {
      return failed("no answer in " + operationTimeout.toMillis() + " ms");
    }
  }

  private Duration failed(String reason) {
    news.problem("peers in etcd: " + reason);
    answered = false;
    endWatch(); // who knows what it goes on with
    registry.reconnect();
    return backOff;
  }

  private void register() throws InterruptedException, ExecutionException, TimeoutException {
    if (registered && registry.keepAlive(leaseId)) {
      return;
    }
    if (registered) {
      log.log(Level.WARNING, "etcd does not know the lease of this node any more: registering");
      registered = false;
      endWatch();
    }
    leaseId = registry.grant(lease);
    registry.put(self, leaseId);
    registered = true;
  }

  private void watch(long revision) {
    if (watchEnded.getAndSet(false)) {
      endWatch();
    }
    if (watcher == null) {
      watcher = registry.watch(revision, this::changed, () -> watchEnded.set(true));
    }
  }

  private void changed() {
    Polling waiting = polling;
    if (waiting != null) {
      waiting.wake();
    }
  }

  private void endWatch() {
    if (watcher != null) {
      watcher.close();
      watcher = null;
    }
  }

  @Override
  public String problem() {
    return news.problem();
  }

  /**
   * Ends the lease and with it the node's key, so that others know at once; waits for that. If etcd
   * did not answer the last time, it is not asked: the key goes when its lease is over.
   */
  @Override
  public void close() {
    news.close();
    try {
      Polling running = polling;
      if (running != null) {
        running.close();
        running.awaitEnd(operationTimeout);
      }
      if (leaseId != NO_LEASE && answered) {
        registry.revoke(leaseId);
        leaseId = NO_LEASE;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      log.log(Level.WARNING, "etcd keeps the key of this node until its lease is over", e);
    } finally {
      registry.close();
    }
  }
}
