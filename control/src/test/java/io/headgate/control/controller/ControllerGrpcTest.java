package io.headgate.control.controller;

import static io.headgate.control.controller.TestRegion.ORDERS;
import static io.headgate.control.controller.TestRegion.rule;
import static io.headgate.control.controller.TestRegion.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.headgate.core.rule.Scope;
import io.headgate.core.shed.Directive;
import io.headgate.core.shed.LawSettings;
import io.headgate.fixtures.FreePorts;
import io.headgate.protocol.link.GrpcAcceptor;
import io.headgate.protocol.link.GrpcConnector;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.link.ThreadEventLoop;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.ControlGrpc;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.ZoneDirection;
import io.headgate.protocol.v1.ZoneHello;
import io.headgate.protocol.v1.ZoneMessage;
import io.headgate.protocol.v1.ZoneReport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two controllers of different regions and an aggregator each, over sockets. */
@Tag("process")
class ControllerGrpcTest {

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  @Test
  void sharesAGlobalLimitOverTwoRegions() throws Exception {
    int[] ports = {FreePorts.next(), FreePorts.next()};
    start("eu", ports[0], ports[1]);
    start("us", ports[1], ports[0]);
    List<ZoneDirection> heardInEurope = connectAggregator("eu", ports[0], 100);
    List<ZoneDirection> heardInAmerica = connectAggregator("us", ports[1], 60);

    // 120 of 160 may pass.
    int expected = Directive.accept(0.75);
    await()
        .atMost(Duration.ofSeconds(15))
        .untilAsserted(
            () -> {
              assertThat(accepts(heardInEurope)).isNotEmpty().containsOnly(expected);
              assertThat(accepts(heardInAmerica)).isNotEmpty().containsOnly(expected);
            });
    assertThat(heardInEurope.get(0).getHello().getLearning()).isTrue();
    assertThat(heardInEurope.get(1).getRules().getConfigVersion()).isEqualTo(1);
  }

  private static List<Integer> accepts(List<ZoneDirection> heard) {
    return heard.stream()
        .map(ZoneDirection::getDirectives)
        .map(Directives::getAcceptList)
        .flatMap(List::stream)
        .toList();
  }

  private void start(String region, int port, int peerPort) throws IOException {
    ThreadEventLoop loop = ThreadEventLoop.start("controller-" + region);
    open.add(loop);
    ControllerSettings settings =
        ControllerSettings.of(region + "-1", 1, region, List.of("127.0.0.1:" + peerPort))
            .withTiming(Duration.ofMillis(100), Duration.ofMillis(100), Duration.ofSeconds(1))
            .withLaw(LawSettings.PLAIN);
    Controller controller =
        new Controller(
            settings,
            loop,
            new GrpcConnector<>(
                ControlGrpc.getExchangeMethod(),
                loop,
                address ->
                    Grpc.newChannelBuilder(address, InsecureChannelCredentials.create()).build()),
            new Random(1),
            new SimpleMeterRegistry());
    Server server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress("127.0.0.1", port), InsecureServerCredentials.create())
            .addService(
                ServerServiceDefinition.builder(ControlGrpc.SERVICE_NAME)
                    .addMethod(
                        ControlGrpc.getConnectMethod(),
                        new GrpcAcceptor<>(
                            ControlGrpc.getConnectMethod(), loop, controller.aggregators()))
                    .addMethod(
                        ControlGrpc.getExchangeMethod(),
                        new GrpcAcceptor<>(
                            ControlGrpc.getExchangeMethod(), loop, controller.peers()))
                    .build())
            .build()
            .start();
    open.add(server::shutdownNow);
    controller.updateRules(rules(1, rule("orders", Scope.GLOBAL, 120, Map.of())), List.of());
    controller.start();
    open.add(controller::stop);
  }

  /** Reports each 100 ms; gives what it hears. */
  private List<ZoneDirection> connectAggregator(String region, int port, double perSecond) {
    ThreadEventLoop loop = ThreadEventLoop.start("aggregator-" + region);
    open.add(loop);
    List<ZoneDirection> heard = new CopyOnWriteArrayList<>();
    GrpcConnector<ZoneMessage, ZoneDirection> connector =
        new GrpcConnector<>(
            ControlGrpc.getConnectMethod(),
            loop,
            address ->
                Grpc.newChannelBuilder(address, InsecureChannelCredentials.create()).build());
    loop.execute(
        () -> {
          Link<ZoneMessage> link =
              connector.connect(
                  "127.0.0.1:" + port,
                  new LinkListener<>() {
                    @Override
                    public void onMessage(ZoneDirection message) {
                      heard.add(message);
                    }

                    @Override
                    public void onClosed(String reason) {}
                  });
          link.send(
              ZoneMessage.newBuilder()
                  .setHello(
                      ZoneHello.newBuilder()
                          .setAggregatorId(region + "-a")
                          .setEpoch(1)
                          .setRegion(region)
                          .setZone(region + "-1"))
                  .build());
          report(loop, link, 1, perSecond);
        });
    return heard;
  }

  private static void report(
      ThreadEventLoop loop, Link<ZoneMessage> link, long sequence, double perSecond) {
    ZoneReport.Builder report =
        ZoneReport.newBuilder()
            .setSequence(sequence)
            .setClients(1)
            .setComplete(true)
            .addBucket(1)
            .addOffered(perSecond);
    if (sequence == 1) {
      report.addDefine(
          BucketDefinition.newBuilder()
              .setId(1)
              .setService(ORDERS.service())
              .setRule(ORDERS.rule()));
    }
    link.send(ZoneMessage.newBuilder().setReport(report).build());
    loop.schedule(
        Duration.ofMillis(100).toNanos(), () -> report(loop, link, sequence + 1, perSecond));
  }
}
