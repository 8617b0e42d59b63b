package io.headgate.envoy.proxy;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.headgate.core.rule.Location;
import io.headgate.protocol.link.Acceptor.Peer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides who a stream is of, by its node and its certificate. Thread-safe. */
final class Identification {

  private static final Logger logger = LoggerFactory.getLogger(Identification.class);
  private static final long LOG_EVERY_NANOS = 10_000_000_000L;
  private static final String SPIFFE = "spiffe://";

  private final Location location;
  private final Proxies proxies;
  private final LongSupplier nanoTime;
  private final DataPlaneMetrics metrics;
  private final AtomicLong quietUntilNanos;

  Identification(
      Location location, Proxies proxies, LongSupplier nanoTime, DataPlaneMetrics metrics) {
    this.location = location;
    this.proxies = proxies;
    this.nanoTime = nanoTime;
    this.metrics = metrics;
    quietUntilNanos = new AtomicLong(nanoTime.getAsLong());
  }

  /** The proxy, with one stream more; null if it is not taken, which is logged and counted. */
  @Nullable Proxy identify(Node node, Peer peer) {
    try {
      ProxyId id = ProxyId.of(node, location);
      checkCertificate(id, peer);
      Proxy proxy = proxies.open(id);
      if (proxy == null) {
        throw new IllegalArgumentException("there is no room for one more proxy");
      }
      return proxy;
    } catch (IllegalArgumentException e) {
      metrics.refusedProxy();
      long nowNanos = nanoTime.getAsLong();
      long until = quietUntilNanos.get();
      if (nowNanos - until >= 0
          && quietUntilNanos.compareAndSet(until, nowNanos + LOG_EVERY_NANOS)) {
        logger.warn("Refused a proxy at {}: {}", peer.address(), e.getMessage());
      }
      return null;
    }
  }

  /** A proxy may report only for its own service. */
  private static void checkCertificate(ProxyId id, Peer peer) {
    if (peer.identities().isEmpty()) {
      return;
    }
    for (String identity : peer.identities()) {
      if (identity.startsWith(SPIFFE)
          && identity.substring(identity.lastIndexOf('/') + 1).equals(id.service())) {
        return;
      }
    }
    throw new IllegalArgumentException(
        "node.cluster is '"
            + id.service()
            + "', the certificate is for "
            + peer.identities()
            + " (expected: a SPIFFE id that ends in the service)");
  }
}
