package io.headgate.keyed.ring;

import io.grpc.BindableService;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerStreamTracer;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.headgate.keyed.KeyedListener;
import io.headgate.keyed.ring.bucket.BucketLoader;
import io.headgate.keyed.ring.bucket.BucketStore;
import io.headgate.keyed.ring.discovery.PeerDiscovery;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.discovery.StaticPeers;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Describes a node; see {@link KeyedRing#builder}. */
public final class RingBuilder {

  /** The largest message from clients and peers. */
  private static final int MAX_MESSAGE_BYTES = 1024 * 1024;

  /** How long a client may take for the headers of a connection. */
  private static final long HANDSHAKE_SECONDS = 10;

  private PeerInfo self;
  private String listen;
  private RingSettings settings = RingSettings.DEFAULT;
  private @Nullable PeerDiscovery discovery;
  BucketLoader loader = BucketLoader.NONE;
  private BucketStore store = BucketStore.NONE;
  private RingListener listener = RingListener.NONE;
  private ServerCredentials serverCredentials = InsecureServerCredentials.create();
  private ChannelCredentials channelCredentials = InsecureChannelCredentials.create();
  private @Nullable String authority;
  private LongSupplier millis = System::currentTimeMillis;
  private LongSupplier nanos = System::nanoTime;
  private KeyedListener keyedListener = KeyedListener.NONE;
  private ZoneId zone = ZoneId.systemDefault();
  Duration drainTime = Duration.ofSeconds(10);
  private Duration maxConnectionAge = Duration.ZERO;
  private final List<BindableService> services = new ArrayList<>();
  private final List<ServerStreamTracer.Factory> tracers = new ArrayList<>();
  private @Nullable ScheduledExecutorService scheduler;

  RingBuilder(PeerInfo self) {
    this.self = self;
    listen = self.grpcAddress();
  }

  /** Puts the node into a data center; the one without a name otherwise. */
  public RingBuilder dataCenter(String name) {
    self = new PeerInfo(self.grpcAddress(), self.httpAddress(), name);
    return this;
  }

  /** Listens somewhere else than where others find it, such as {@code 0.0.0.0:1051}. */
  public RingBuilder listen(String address) {
    listen = PeerInfo.of(address).grpcAddress();
    return this;
  }

  /** How the node behaves. */
  public RingBuilder settings(RingSettings newSettings) {
    settings = newSettings;
    return this;
  }

  /** How the nodes find one another; without it the node is alone. */
  public RingBuilder discovery(PeerDiscovery newDiscovery) {
    discovery = newDiscovery;
    return this;
  }

  /** Where buckets are kept beyond the memory of the node. */
  public RingBuilder store(BucketStore newStore) {
    store = newStore;
    return this;
  }

  /** Where buckets are while the node does not run. */
  public RingBuilder loader(BucketLoader newLoader) {
    loader = newLoader;
    return this;
  }

  /** Who hears of what this node counts. */
  public RingBuilder listener(RingListener newListener) {
    listener = newListener;
    return this;
  }

  /**
   * TLS between clients and nodes, and among nodes.
   *
   * @param newAuthority the name for which certificates of peers must be; null for their address
   */
  public RingBuilder credentials(
      ServerCredentials server, ChannelCredentials peers, @Nullable String newAuthority) {
    serverCredentials = server;
    channelCredentials = peers;
    authority = newAuthority;
    return this;
  }

  /** How long a connection of a client lasts, so that load spreads anew; 0 for ever. */
  public RingBuilder maxConnectionAge(Duration age) {
    maxConnectionAge = age;
    return this;
  }

  /** How long {@link KeyedRing#close} may take to give everything away. */
  public RingBuilder drainTime(Duration time) {
    drainTime = time;
    return this;
  }

  /** Another time than that of the system, in epoch milliseconds. */
  public RingBuilder clock(LongSupplier epochMillis) {
    millis = epochMillis;
    return this;
  }

  /** Another clock for {@link KeyedRing#limiter}, in nanoseconds from any origin. */
  public RingBuilder nanoClock(LongSupplier clock) {
    nanos = clock;
    return this;
  }

  /** Who hears of each decision of {@link KeyedRing#limiter} on this node. */
  public RingBuilder keyedListener(KeyedListener newListener) {
    keyedListener = newListener;
    return this;
  }

  /** Whose calendar holds for {@code DURATION_IS_GREGORIAN}; the system's otherwise. */
  public RingBuilder zone(ZoneId newZone) {
    zone = newZone;
    return this;
  }

  /** Serves something else on the same port. */
  public RingBuilder addService(BindableService service) {
    services.add(service);
    return this;
  }

  /** Who hears of each call that this node answers, such as for its metrics. */
  public RingBuilder tracer(ServerStreamTracer.Factory tracer) {
    tracers.add(tracer);
    return this;
  }

  /**
   * Starts the node.
   *
   * @throws java.io.UncheckedIOException if it cannot listen where it should
   */
  public KeyedRing start() {
    RingNode node =
        new RingNode(
            settings,
            new RingNode.Parts(
                self,
                this::connect,
                scheduler(),
                millis,
                nanos,
                new SecureRandom(),
                store,
                listener,
                keyedListener,
                zone));
    PeerDiscovery peers = discovery != null ? discovery : StaticPeers.of(List.of(self));
    NodeHealth health = new NodeHealth(node, peers);
    NettyServerBuilder server =
        NettyServerBuilder.forAddress(addressOf(listen), serverCredentials)
            .directExecutor()
            .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
            .maxInboundMessageSize(MAX_MESSAGE_BYTES);
    if (!maxConnectionAge.isZero()) {
      server
          .maxConnectionAge(maxConnectionAge.toMillis(), TimeUnit.MILLISECONDS)
          .maxConnectionAgeGrace(maxConnectionAge.toMillis(), TimeUnit.MILLISECONDS);
    }
    services.forEach(server::addService);
    tracers.forEach(server::addStreamTracerFactory);
    KeyedRing.services(node, health)
        .forEach(service -> server.addService(MalformedRequests.answered(service)));
    Server built = server.build();
    return new KeyedRing(node, built, health, peers, this).open();
  }

  ScheduledExecutorService scheduler() {
    ScheduledExecutorService running = scheduler;
    if (running == null) {
      running =
          new ScheduledThreadPoolExecutor(
              1,
              task -> {
                Thread thread = new Thread(task, "headgate-ring-" + self.grpcAddress());
                thread.setDaemon(true);
                return thread;
              },
              new ThreadPoolExecutor.DiscardPolicy()); // what comes after the end is moot
      scheduler = running;
    }
    return running;
  }

  private ManagedChannel connect(PeerInfo peer) {
    NettyChannelBuilder channel =
        NettyChannelBuilder.forTarget(peer.grpcAddress(), channelCredentials)
            .directExecutor()
            .maxInboundMessageSize(MAX_MESSAGE_BYTES * 4);
    if (authority != null) {
      channel.overrideAuthority(authority);
    }
    return channel.build();
  }

  private static InetSocketAddress addressOf(String hostPort) {
    int colon = hostPort.lastIndexOf(':');
    String host = hostPort.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    return new InetSocketAddress(host, Integer.parseInt(hostPort.substring(colon + 1)));
  }
}
