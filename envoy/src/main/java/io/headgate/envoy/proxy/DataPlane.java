package io.headgate.envoy.proxy;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.metrics.v3.MetricsServiceGrpc;
import io.envoyproxy.envoy.service.runtime.v3.RuntimeDiscoveryServiceGrpc;
import io.grpc.ServerServiceDefinition;
import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.RelayAgent;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.GrpcAcceptor;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentMessage;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Proxies as a data plane: takes what they count, reports it to the zone's aggregator as the agent
 * of each, and pushes what each is to drop. Nothing of it is asked for a call.
 */
public final class DataPlane {

  private final DataPlaneSettings settings;
  private final EventLoop loop;
  private final Connector<AgentMessage, AgentDirection> connector;
  private final RandomGenerator random;
  private final LongSupplier epochs;
  private final DataPlaneMetrics metrics;
  private final Proxies proxies;
  private final Identification identification;
  private final String versionPrefix;

  /**
   * A data plane that does nothing until it is started.
   *
   * @param loop where it lives
   * @param connector reaches aggregators; calls its listeners on {@code loop}
   * @param random used on {@code loop} only
   * @param epochs greater each time; such as the wall clock's milliseconds
   * @param registry gets the metrics
   */
  public DataPlane(
      DataPlaneSettings settings,
      EventLoop loop,
      Connector<AgentMessage, AgentDirection> connector,
      RandomGenerator random,
      LongSupplier epochs,
      MeterRegistry registry) {
    this.settings = settings;
    this.loop = loop;
    this.connector = connector;
    this.random = random;
    this.epochs = epochs;
    metrics = new DataPlaneMetrics(registry);
    proxies = new Proxies(loop, this::proxy, settings.maxProxies());
    identification = new Identification(settings.location(), proxies, loop::nanoTime, metrics);
    versionPrefix = Long.toString(epochs.getAsLong(), Character.MAX_RADIX) + "-";
    metrics.gauge("headgate.envoy.proxies", proxies::connected);
    metrics.gauge(
        "headgate.envoy.pairs", () -> proxies.all().stream().mapToInt(Proxy::pairs).sum());
    metrics.gauge("headgate.envoy.keys", () -> proxies.all().stream().mapToInt(Proxy::keys).sum());
    metrics.gauge(
        "headgate.envoy.overflow",
        () ->
            proxies.all().stream()
                .mapToLong(proxy -> proxy.agent().status().overflowLookups())
                .sum());
  }

  private Proxy proxy(ProxyId id) {
    return new Proxy(
        id, loop, this::agent, random, settings.maxPairs(), settings.flushInterval().toNanos());
  }

  private RelayAgent agent(ProxyId id, RelayAgent.Listener listener) {
    return HeadgateAgent.builder()
        .service(id.service())
        .region(settings.location().region())
        .zone(settings.location().zone())
        .clientId(id.clientId())
        .epoch(epochs.getAsLong())
        .aggregators(settings.aggregators())
        .connector(connector)
        .eventLoop(loop)
        .random(random)
        .maxGates(settings.maxPairs())
        .reportInterval(settings.flushInterval())
        .releaseRamp(settings.releaseRamp())
        .buildRelay(listener);
  }

  /** Begins to look after proxies. Any thread, once. */
  public void start() {
    proxies.start();
  }

  /** What proxies call. */
  public List<ServerServiceDefinition> services() {
    return List.of(
        ServerServiceDefinition.builder(MetricsServiceGrpc.SERVICE_NAME)
            .addMethod(
                MetricsServiceGrpc.getStreamMetricsMethod(),
                new MetricsIntake(identification, proxies, loop, metrics))
            .build(),
        ServerServiceDefinition.builder(RuntimeDiscoveryServiceGrpc.SERVICE_NAME)
            .addMethod(
                RuntimeDiscoveryServiceGrpc.getDeltaRuntimeMethod(),
                new GrpcAcceptor<>(
                    RuntimeDiscoveryServiceGrpc.getDeltaRuntimeMethod(), loop, delta()))
            .addMethod(
                RuntimeDiscoveryServiceGrpc.getStreamRuntimeMethod(),
                new GrpcAcceptor<>(
                    RuntimeDiscoveryServiceGrpc.getStreamRuntimeMethod(), loop, wholeState()))
            .build());
  }

  /** Takes streams of incremental runtime discovery; on the loop. */
  Acceptor<DeltaDiscoveryResponse, DeltaDiscoveryRequest> delta() {
    return (peer, link) ->
        new RuntimeStream<>(
            new DeltaWire(), identification, proxies, loop, metrics, versionPrefix, peer, link);
  }

  /** Takes streams of runtime discovery in whole states; on the loop. */
  Acceptor<DiscoveryResponse, DiscoveryRequest> wholeState() {
    return (peer, link) ->
        new RuntimeStream<>(
            new WholeStateWire(),
            identification,
            proxies,
            loop,
            metrics,
            versionPrefix,
            peer,
            link);
  }

  /** What it knows now. Any thread. */
  public CompletableFuture<DataPlaneStatus> status() {
    CompletableFuture<DataPlaneStatus> status = new CompletableFuture<>();
    loop.execute(
        () ->
            status.complete(
                new DataPlaneStatus(
                    proxies.connected(),
                    metrics.pushes(),
                    metrics.nacks(),
                    proxies.all().stream().map(Proxy::status).toList())));
    return status;
  }

  /** Takes leave of the aggregators. Any thread. */
  public void stop() {
    loop.execute(proxies::stop);
  }
}
