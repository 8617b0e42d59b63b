package io.headgate.envoy.proxy;

import com.google.protobuf.Duration;
import com.google.protobuf.MessageLite;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.Acceptor.Peer;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream of runtime discovery. The proxy gets its whole layer when it asks and when that has
 * changed, and in between what keeps the layer alive; without that it lets everything pass when the
 * time to live is over. One answer is on its way at a time: changes meanwhile make one. Confined to
 * the loop.
 *
 * @param <InT> what a proxy sends
 * @param <OutT> what it is sent
 */
final class RuntimeStream<InT, OutT extends MessageLite> implements LinkListener<InT>, LayerStream {

  /** The one resource that there is. */
  static final String NAME = "headgate";

  static final Duration TTL = Duration.newBuilder().setSeconds(10).build();

  private static final Logger logger = LoggerFactory.getLogger(RuntimeStream.class);

  private static final String WILDCARD = "*";
  private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Envoy takes some 14 us a key on its main thread for each layer. */
  private static final int KEYS_AT_ONCE = 1_000;

  private static final long COALESCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private enum Kind {
    LAYER,
    HEARTBEAT,
    OTHER
  }

  private record Sent(String nonce, Kind kind, Layer layer, String version) {}

  private final RuntimeWire<InT, OutT> wire;
  private final Identification identification;
  private final Proxies proxies;
  private final EventLoop loop;
  private final DataPlaneMetrics metrics;
  private final String versionPrefix;
  private final Peer peer;
  private final Link<OutT> link;

  private @Nullable Proxy proxy;
  private boolean subscribed;
  private boolean wholeDue;
  private boolean over;
  private long nonces;
  private @Nullable Sent awaited;

  /** What the proxy has taken last, with what it was taken by. */
  private @Nullable Sent inForce;

  /** What it has refused, and would again. */
  private @Nullable Layer refused;

  private long sentNanos;
  private long pushedNanos;
  private EventLoop.@Nullable Timer heartbeat;
  private EventLoop.@Nullable Timer coalescing;

  /**
   * A stream that has said nothing yet.
   *
   * @param versionPrefix tells the versions of this start from those of others
   */
  RuntimeStream(
      RuntimeWire<InT, OutT> wire,
      Identification identification,
      Proxies proxies,
      EventLoop loop,
      DataPlaneMetrics metrics,
      String versionPrefix,
      Peer peer,
      Link<OutT> link) {
    this.wire = wire;
    this.identification = identification;
    this.proxies = proxies;
    this.loop = loop;
    this.metrics = metrics;
    this.versionPrefix = versionPrefix;
    this.peer = peer;
    this.link = link;
  }

  @Override
  public void onMessage(InT message) {
    RuntimeRequest request = wire.read(message);
    if (proxy == null && !identify(request)) {
      return;
    }
    if (!request.typeUrl().isEmpty() && !request.typeUrl().equals(RuntimeWire.TYPE_URL)) {
      metrics.ignoredRequest();
      return;
    }
    if (!request.nonce().isEmpty()) {
      answered(request);
    }
    subscribe(request);
    sendWhatIsDue();
  }

  private boolean identify(RuntimeRequest request) {
    if (request.node() != null) {
      proxy = identification.identify(request.node(), peer);
    }
    if (proxy == null) {
      if (request.node() == null) {
        metrics.refusedProxy();
        logger.warn("A stream of {} did not begin with a node", peer.address());
      }
      link.close();
      over();
      return false;
    }
    proxy.add(this);
    return true;
  }

  private void answered(RuntimeRequest request) {
    Sent sent = awaited;
    if (sent == null || !sent.nonce().equals(request.nonce())) {
      return; // about an answer before the last
    }
    awaited = null;
    if (request.error().isEmpty()) {
      if (sent.kind() == Kind.LAYER) {
        inForce = sent;
      }
    } else if (sent.kind() == Kind.HEARTBEAT) {
      metrics.expiredLayer();
      logger.info("{}: its drop ratios had expired: {}", name(), request.error());
      wholeDue = true;
    } else if (sent.kind() == Kind.LAYER) {
      metrics.refusedLayer();
      logger.warn(
          "{}: drop ratios of {} buckets refused, the last good ones stay: {}",
          name(),
          sent.layer().size(),
          request.error());
      refused = sent.layer();
    }
  }

  private void subscribe(RuntimeRequest request) {
    boolean named = request.subscribed().contains(NAME) || request.subscribed().contains(WILDCARD);
    if (request.unsubscribed() == null) {
      wholeDue |= named && !subscribed;
      subscribed = named;
    } else {
      if (request.unsubscribed().contains(NAME) || request.unsubscribed().contains(WILDCARD)) {
        subscribed = false;
      }
      subscribed |= named;
      // Always an answer, whatever version the proxy has: it may have let go of what it had.
      wholeDue |= named;
    }
    if (!subscribed) {
      wholeDue = false;
    }
    List<String> unknown =
        request.subscribed().stream()
            .filter(asked -> !asked.equals(NAME) && !asked.equals(WILDCARD))
            .toList();
    if (!unknown.isEmpty()) {
      String nonce = nextNonce();
      OutT absent = wire.absent(unknown, nonce);
      if (absent != null) {
        link.send(absent);
      }
    }
  }

  @Override
  public void layerChanged() {
    sendWhatIsDue();
  }

  @Override
  public void onReady() {
    sendWhatIsDue();
  }

  private void sendWhatIsDue() {
    Proxy of = proxy;
    if (over || of == null || !subscribed || awaited != null || !link.isReady()) {
      return;
    }
    if (wholeDue) {
      wholeDue = false;
      pushWhole(of);
      return;
    }
    if (size(inForce) > KEYS_AT_ONCE && coalesce()) {
      return;
    }
    Layer wanted = of.layer();
    boolean changed = inForce == null || !wanted.equals(inForce.layer());
    if (changed && !wanted.equals(refused)) {
      if (wanted.size() <= KEYS_AT_ONCE || !coalesce()) {
        push(wanted, version(of));
      }
    } else if (loop.nanoTime() - sentNanos >= HEARTBEAT_NANOS) {
      keepAlive();
    }
  }

  /** The layer as it is now, or the last good one where that was refused. */
  private void pushWhole(Proxy of) {
    Layer wanted = of.layer();
    if (!wanted.equals(refused)) {
      push(wanted, version(of));
    } else if (inForce != null) {
      push(inForce.layer(), inForce.version());
    }
  }

  private String version(Proxy of) {
    return versionPrefix + of.layerNumber();
  }

  private static int size(@Nullable Sent sent) {
    return sent == null ? 0 : sent.layer().size();
  }

  /** Whether the last push was so short ago that a large one has to wait; then it is due later. */
  private boolean coalesce() {
    long waitNanos = pushedNanos + COALESCE_NANOS - loop.nanoTime();
    if (inForce == null || waitNanos <= 0) {
      return false;
    }
    if (coalescing == null) {
      coalescing =
          loop.schedule(
              waitNanos,
              () -> {
                coalescing = null;
                sendWhatIsDue();
              });
    }
    return true;
  }

  private void push(Layer layer, String version) {
    String nonce = nextNonce();
    OutT message = wire.layer(layer.toStruct(), version, nonce);
    metrics.push(message.getSerializedSize());
    pushedNanos = loop.nanoTime();
    send(message, new Sent(nonce, Kind.LAYER, layer, version));
  }

  private void keepAlive() {
    Sent last = inForce;
    if (last == null) {
      return;
    }
    String nonce = nextNonce();
    OutT message = wire.heartbeat(last.version(), nonce);
    if (message == null) {
      push(last.layer(), last.version());
    } else {
      metrics.heartbeat();
      send(message, new Sent(nonce, Kind.HEARTBEAT, last.layer(), last.version()));
    }
  }

  private void send(OutT message, Sent sent) {
    awaited = sent;
    sentNanos = loop.nanoTime();
    link.send(message);
    if (heartbeat == null) {
      heartbeatIn(HEARTBEAT_NANOS);
    }
  }

  private void heartbeatIn(long delayNanos) {
    heartbeat = loop.schedule(delayNanos, this::heartbeatDue);
  }

  private void heartbeatDue() {
    long leftNanos = sentNanos + HEARTBEAT_NANOS - loop.nanoTime();
    heartbeatIn(leftNanos > 0 ? leftNanos : HEARTBEAT_NANOS);
    if (leftNanos <= 0) {
      sendWhatIsDue();
    }
  }

  private String nextNonce() {
    return Long.toString(++nonces);
  }

  private String name() {
    return proxy == null ? peer.address() : "proxy '" + proxy.id().id() + "'";
  }

  @Override
  public void onClosed(String reason) {
    over();
  }

  private void over() {
    if (over) {
      return;
    }
    over = true;
    if (heartbeat != null) {
      heartbeat.cancel();
    }
    if (coalescing != null) {
      coalescing.cancel();
    }
    if (proxy != null) {
      proxy.remove(this);
      proxies.close(proxy);
    }
  }
}
