package io.headgate.server.run;

import io.grpc.ServerServiceDefinition;
import io.headgate.control.controller.Controller;
import io.headgate.control.controller.ControllerSettings;
import io.headgate.control.rules.RuleStore;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.GrpcAcceptor;
import io.headgate.protocol.link.GrpcConnector;
import io.headgate.protocol.link.ThreadEventLoop;
import io.headgate.protocol.v1.ControlGrpc;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** A controller on a thread, with its streams over gRPC and its rules from a store. */
final class ControllerRole implements RunningRole {

  private final ThreadEventLoop loop = ThreadEventLoop.start("controller");
  private final RuleStore rules;
  private final Controller controller;

  /**
   * A controller.
   *
   * @param rules is closed with it
   */
  ControllerRole(
      ServerSettings settings, RuleStore rules, Channels channels, MeterRegistry registry) {
    this.rules = rules;
    ControllerSettings defaults =
        ControllerSettings.of(
            settings.id(), settings.epoch(), settings.location().region(), settings.peers());
    controller =
        new Controller(
            defaults
                .withTiming(
                    settings.reportInterval(), settings.reportInterval(), settings.timeToLive())
                .withReleaseRamp(settings.releaseRamp())
                .withLearning(defaults.learningMax(), settings.expectedAggregators()),
            loop,
            new GrpcConnector<>(ControlGrpc.getExchangeMethod(), loop, channels),
            new SplittableRandom(),
            registry);
  }

  @Override
  public Role role() {
    return Role.CONTROLLER;
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public List<ServerServiceDefinition> services() {
    return List.of(
        ServerServiceDefinition.builder(ControlGrpc.getServiceDescriptor())
            .addMethod(
                ControlGrpc.getConnectMethod(),
                new GrpcAcceptor<>(ControlGrpc.getConnectMethod(), loop, controller.aggregators()))
            .addMethod(
                ControlGrpc.getExchangeMethod(),
                new GrpcAcceptor<>(ControlGrpc.getExchangeMethod(), loop, controller.peers()))
            .build());
  }

  @Override
  public void start() {
    controller.start();
    rules.subscribe(snapshot -> controller.updateRules(snapshot.rules(), snapshot.problems()));
  }

  @Override
  public String missing() {
    return controller.isReady() ? "" : "no rules have been read yet";
  }

  @Override
  public CompletableFuture<?> status() {
    return controller.status();
  }

  @Override
  public void stop() {
    rules.close();
    controller.stop();
    loop.close();
  }
}
