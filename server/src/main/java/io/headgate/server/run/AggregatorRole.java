package io.headgate.server.run;

import io.grpc.ServerServiceDefinition;
import io.headgate.control.aggregator.Aggregator;
import io.headgate.control.aggregator.AggregatorSettings;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.GrpcAcceptor;
import io.headgate.protocol.link.GrpcConnector;
import io.headgate.protocol.link.ThreadEventLoop;
import io.headgate.protocol.v1.AggregationGrpc;
import io.headgate.protocol.v1.ControlGrpc;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** An aggregator on a thread, with its streams over gRPC. */
final class AggregatorRole implements RunningRole {

  private final ThreadEventLoop loop = ThreadEventLoop.start("aggregator");
  private final Aggregator aggregator;

  AggregatorRole(
      ServerSettings settings,
      List<String> controllers,
      Channels channels,
      MeterRegistry registry) {
    aggregator =
        new Aggregator(
            AggregatorSettings.builder()
                .aggregatorId(settings.id())
                .epoch(settings.epoch())
                .region(settings.location().region())
                .zone(settings.location().zone())
                .controllers(controllers)
                .reportInterval(settings.reportInterval())
                .directiveTtl(settings.timeToLive())
                .build(),
            loop,
            new GrpcConnector<>(ControlGrpc.getConnectMethod(), loop, channels),
            new SplittableRandom(),
            registry);
  }

  @Override
  public Role role() {
    return Role.AGGREGATOR;
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public List<ServerServiceDefinition> services() {
    return List.of(
        ServerServiceDefinition.builder(AggregationGrpc.getServiceDescriptor())
            .addMethod(
                AggregationGrpc.getConnectMethod(),
                new GrpcAcceptor<>(AggregationGrpc.getConnectMethod(), loop, aggregator.agents()))
            .build());
  }

  @Override
  public void start() {
    aggregator.start();
  }

  @Override
  public String missing() {
    return aggregator.isReady() ? "" : "no controller has sent rules yet";
  }

  @Override
  public CompletableFuture<?> status() {
    return aggregator.status();
  }

  @Override
  public void stop() {
    aggregator.stop();
    loop.close();
  }
}
