package io.headgate.keyed.ring.discovery.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.common.exception.ErrorCode;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.options.WatchOption;
import io.headgate.keyed.ring.discovery.MalformedPeerException;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.discovery.json.PeerJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The keys of peers in etcd. Each call waits for its answer, no longer than the timeout. */
final class EtcdRegistry implements AutoCloseable {

  /**
   * The peers of one moment.
   *
   * @param problems entries that are none
   * @param revision of etcd's store at that moment
   */
  record Listing(List<PeerInfo> peers, List<String> problems, long revision) {}

  private final EtcdPeersBuilder settings;
  private final String keyPrefix;
  private final Duration timeout;
  private Client client;

  EtcdRegistry(EtcdPeersBuilder settings) {
    this.settings = settings;
    client = connect(settings);
    keyPrefix = settings.keyPrefix;
    timeout = settings.operationTimeout;
  }

  private static Client connect(EtcdPeersBuilder settings) {
    String scheme = settings.tls == null ? "http://" : "https://";
    ClientBuilder builder =
        Client.builder()
            .endpoints(
                settings.endpoints.stream()
                    .map(endpoint -> endpoint.contains("://") ? endpoint : scheme + endpoint)
                    .toArray(String[]::new))
            .connectTimeout(settings.connectTimeout)
            // Who asks tries again by itself.
            .retryMaxDuration(settings.operationTimeout)
            // A connection that is silently gone is noticed.
            .keepaliveTime(settings.lease)
            .keepaliveTimeout(settings.operationTimeout);
    if (!settings.user.isEmpty()) {
      builder.user(bytes(settings.user)).password(bytes(settings.password));
    }
    if (settings.tls != null) {
      builder.sslContext(settings.tls.context());
    }
    return builder.build();
  }

  /**
   * Goes on with a new connection, and with that at once: one that has failed is tried again by
   * itself after a time that doubles up to two minutes, which etcd may have come back in.
   */
  void reconnect() {
    client.close();
    client = connect(settings);
  }

  /** A new lease, which lasts whole seconds. */
  long grant(Duration lease) throws InterruptedException, ExecutionException, TimeoutException {
    return await(client.getLeaseClient().grant(lease.toSeconds())).getID();
  }

  /** Whether etcd knows the lease, which lasts anew if so. */
  boolean keepAlive(long lease) throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return await(client.getLeaseClient().keepAliveOnce(lease)).getTTL() > 0;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof EtcdException etcd
          && etcd.getErrorCode() == ErrorCode.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  void put(PeerInfo peer, long lease)
      throws InterruptedException, ExecutionException, TimeoutException {
    await(
        client
            .getKVClient()
            .put(
                key(peer),
                bytes(PeerJson.write(peer)),
                PutOption.builder().withLeaseId(lease).build()));
  }

  /**
   * Ends a lease, and with it the key that was put under it; not one that a successor with the same
   * address has put there since.
   */
  void revoke(long lease) throws InterruptedException, ExecutionException, TimeoutException {
    await(client.getLeaseClient().revoke(lease));
  }

  Listing list() throws InterruptedException, ExecutionException, TimeoutException {
    GetResponse response =
        await(
            client.getKVClient().get(bytes(keyPrefix), GetOption.builder().isPrefix(true).build()));
    List<PeerInfo> peers = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (KeyValue entry : response.getKvs()) {
      String key = entry.getKey().toString(UTF_8);
      try {
        PeerInfo peer = read(entry.getValue().toString(UTF_8));
        String address = key.substring(keyPrefix.length());
        // Else it belongs to a cluster whose prefix begins with ours.
        if (address.equals(peer.grpcAddress()) || address.equals(peer.httpAddress())) {
          peers.add(peer);
        }
      } catch (MalformedPeerException e) {
        problems.add(key + ": " + e.getMessage());
      }
    }
    return new Listing(peers, problems, response.getHeader().getRevision());
  }

  /** Old versions of Gubernator put the address alone. */
  private static PeerInfo read(String value) throws MalformedPeerException {
    if (value.startsWith("{")) {
      return PeerJson.read(value);
    }
    try {
      return PeerInfo.of(value);
    } catch (IllegalArgumentException e) {
      throw new MalformedPeerException(1, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Watches the keys of peers.
   *
   * @param revision the first change that counts
   * @param changed called for each change
   * @param ended called when the watch has ended by itself
   */
  Watch.Watcher watch(long revision, Runnable changed, Runnable ended) {
    return client
        .getWatchClient()
        .watch(
            bytes(keyPrefix),
            WatchOption.builder()
                .isPrefix(true)
                .withRequireLeader(true)
                .withRevision(revision)
                .build(),
            Watch.listener(response -> changed.run(), error -> ended.run(), ended));
  }

  private <T> T await(CompletableFuture<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      future.cancel(true); // no effect once it is complete
    }
  }

  private ByteSequence key(PeerInfo peer) {
    return bytes(keyPrefix + peer.grpcAddress());
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, UTF_8);
  }

  @Override
  public void close() {
    client.close();
  }
}
