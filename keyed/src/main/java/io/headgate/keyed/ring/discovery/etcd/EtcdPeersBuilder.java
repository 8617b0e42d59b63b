package io.headgate.keyed.ring.discovery.etcd;

import io.headgate.keyed.ring.discovery.PeerInfo;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of {@link EtcdPeers}. */
public final class EtcdPeersBuilder {

  final PeerInfo self;
  List<String> endpoints = List.of("localhost:2379");
  String keyPrefix = "/gubernator-peers";
  Duration connectTimeout = Duration.ofSeconds(5);
  String user = "";
  String password = "";
  @Nullable EtcdTls tls;
  Duration lease = Duration.ofSeconds(30);
  Duration operationTimeout = Duration.ofSeconds(10);
  Duration backOff = Duration.ofSeconds(5);

  EtcdPeersBuilder(PeerInfo self) {
    this.self = self;
  }

  /**
   * Where the members of etcd are, each as {@code host:port} or a URL; default: {@code
   * localhost:2379}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public EtcdPeersBuilder endpoints(List<String> endpoints) {
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("etcd endpoints: none (expected: host:port)");
    }
    this.endpoints = List.copyOf(endpoints);
    return this;
  }

  /**
   * What the keys of peers begin with, which the address follows without a separator; default:
   * {@code /gubernator-peers}.
   *
   * @throws IllegalArgumentException if it is empty
   */
  public EtcdPeersBuilder keyPrefix(String keyPrefix) {
    if (keyPrefix.isEmpty()) {
      throw new IllegalArgumentException("etcd key prefix: '' (expected: not empty)");
    }
    this.keyPrefix = keyPrefix;
    return this;
  }

  /**
   * How long to wait for a connection; default: 5 s.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public EtcdPeersBuilder connectTimeout(Duration connectTimeout) {
    if (connectTimeout.isNegative() || connectTimeout.isZero()) {
      throw new IllegalArgumentException(
          "etcd connect timeout: " + connectTimeout + " (expected: > 0)");
    }
    this.connectTimeout = connectTimeout;
    return this;
  }

  /** Who this node says it is, if etcd asks. */
  public EtcdPeersBuilder credentials(String user, String password) {
    this.user = user;
    this.password = password;
    return this;
  }

  /** Encrypts connections. */
  public EtcdPeersBuilder tls(EtcdTls tls) {
    this.tls = tls;
    return this;
  }

  /** Other times than in production: the lease lasts {@code lease}, whole seconds. */
  EtcdPeersBuilder timing(Duration lease, Duration operationTimeout, Duration backOff) {
    this.lease = lease;
    this.operationTimeout = operationTimeout;
    this.backOff = backOff;
    return this;
  }

  /**
   * Connects nowhere yet.
   *
   * @throws IllegalArgumentException if a file of {@link EtcdTls} cannot be used, or an endpoint is
   *     none
   */
  public EtcdPeers build() {
    return new EtcdPeers(this);
  }
}
