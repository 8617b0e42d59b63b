package io.headgate.server.run;

import io.grpc.ServerServiceDefinition;
import io.headgate.core.time.EventLoop;
import io.headgate.envoy.proxy.DataPlane;
import io.headgate.envoy.proxy.DataPlaneSettings;
import io.headgate.protocol.link.GrpcConnector;
import io.headgate.protocol.link.ThreadEventLoop;
import io.headgate.protocol.v1.AggregationGrpc;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** A data plane of Envoy proxies on a thread, with a port of its own. */
final class EnvoyRole implements RunningRole {

  private final ThreadEventLoop loop = ThreadEventLoop.start("envoy");
  private final DataPlane dataPlane;

  EnvoyRole(
      ServerSettings settings,
      List<String> aggregators,
      Channels channels,
      MeterRegistry registry) {
    dataPlane =
        new DataPlane(
            DataPlaneSettings.of(settings.location(), aggregators, settings.releaseRamp()),
            loop,
            new GrpcConnector<>(AggregationGrpc.getConnectMethod(), loop, channels),
            new SplittableRandom(),
            System::currentTimeMillis,
            registry);
  }

  @Override
  public Role role() {
    return Role.ENVOY;
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public List<ServerServiceDefinition> services() {
    return List.of();
  }

  /** What proxies call, on the port that is for them. */
  List<ServerServiceDefinition> proxyServices() {
    return dataPlane.services();
  }

  @Override
  public void start() {
    dataPlane.start();
  }

  /** Proxies are taken at any time; they let everything pass until there are rules. */
  @Override
  public String missing() {
    return "";
  }

  @Override
  public CompletableFuture<?> status() {
    return dataPlane.status();
  }

  @Override
  public void stop() {
    dataPlane.stop();
    loop.close();
  }
}
