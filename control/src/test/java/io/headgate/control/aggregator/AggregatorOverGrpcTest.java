package io.headgate.control.aggregator;

import static io.headgate.control.aggregator.Samples.bucket;
import static io.headgate.control.aggregator.Samples.firstReport;
import static io.headgate.control.aggregator.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.headgate.core.shed.Directive;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.GrpcAcceptor;
import io.headgate.protocol.link.GrpcConnector;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.link.ThreadEventLoop;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.AggregationGrpc;
import io.headgate.protocol.v1.ControlGrpc;
import io.headgate.protocol.v1.ControllerHello;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Goodbye;
import io.headgate.protocol.v1.Subscribe;
import io.headgate.protocol.v1.ZoneDirection;
import io.headgate.protocol.v1.ZoneMessage;
import io.headgate.protocol.v1.ZoneReport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An aggregator between an agent and a controller, over real sockets. */
final class AggregatorOverGrpcTest {

  private static final Duration INTERVAL = Duration.ofMillis(50);

  private final ThreadEventLoop loop = ThreadEventLoop.start("test-loop");
  private final Controller controller = new Controller();
  private final Server controllerServer =
      serve(ControlGrpc.SERVICE_NAME, ControlGrpc.getConnectMethod(), controller);
  private final Aggregator aggregator =
      new Aggregator(
          AggregatorSettings.builder()
              .aggregatorId("aggregator-0")
              .region("eu")
              .zone("eu-1")
              .controllers(List.of("127.0.0.1:" + controllerServer.getPort()))
              .reportInterval(INTERVAL)
              .latchIntervals(1000) // What ends here ends by a goodbye, not by time.
              .build(),
          loop,
          connector(ControlGrpc.getConnectMethod()),
          new Random(1),
          new SimpleMeterRegistry());
  private final Server aggregatorServer =
      serve(AggregationGrpc.SERVICE_NAME, AggregationGrpc.getConnectMethod(), aggregator.agents());

  @AfterEach
  void tearDown() {
    aggregator.stop();
    loop.close();
    aggregatorServer.shutdownNow();
    controllerServer.shutdownNow();
  }

  @Test
  void reportsGoUpAndRulesAndDirectivesComeDown() {
    aggregator.start();
    await().until(aggregator::isReady);
    Agent agent = new Agent();
    agent.send(AgentMessage.newBuilder().setHello(FakeAgent.hello("a", 1)));
    agent.send(
        AgentMessage.newBuilder().setSubscribe(Subscribe.newBuilder().addService("payments")));
    agent.send(AgentMessage.newBuilder().setReport(firstReport(3000)));

    await().until(() -> controller.offered() == 3000);
    assertThat(agent.received)
        .filteredOn(AgentDirection::hasRules)
        .singleElement()
        .satisfies(m -> assertThat(m.getRules().getService(0).getService()).isEqualTo("payments"));
    await()
        .untilAsserted(
            () ->
                assertThat(agent.received)
                    .filteredOn(m -> m.getDirectives().getBucketCount() > 0)
                    .first()
                    .satisfies(
                        m -> {
                          assertThat(m.getDirectives().getBucketList()).containsExactly(1);
                          assertThat(m.getDirectives().getAcceptList())
                              .containsExactly(Directive.accept(1.0 / 3));
                        }));

    agent.send(
        AgentMessage.newBuilder()
            .setReport(report(2).addDefine(bucket(1, "each", "x")).addBucket(1).addOffered(-1)));
    agent.send(AgentMessage.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
    agent.end();
    await().until(() -> controller.offered() == 0);
    assertThat(aggregator.status().join().clients()).isZero();
  }

  @Test
  void stoppingSaysGoodbyeAndEndsTheAgentsStream() {
    aggregator.start();
    await().until(aggregator::isReady);
    Agent agent = new Agent();
    agent.send(AgentMessage.newBuilder().setHello(FakeAgent.hello("a", 1)));
    await().until(() -> !agent.received.isEmpty());

    aggregator.stop();

    await().until(() -> controller.saidGoodbye);
    await().until(() -> agent.closed);
  }

  private <InT, OutT> Server serve(
      String service, MethodDescriptor<InT, OutT> method, Acceptor<OutT, InT> acceptor) {
    try {
      return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
          .addService(
              ServerServiceDefinition.builder(service)
                  .addMethod(method, new GrpcAcceptor<>(method, loop, acceptor))
                  .build())
          .build()
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private <OutT, InT> GrpcConnector<OutT, InT> connector(MethodDescriptor<OutT, InT> method) {
    return new GrpcConnector<>(
        method, loop, address -> NettyChannelBuilder.forTarget(address).usePlaintext().build());
  }

  /**
   * Has the rules of {@link Samples}, and lets a third of the first bucket that it hears of pass.
   */
  private static final class Controller implements Acceptor<ZoneDirection, ZoneMessage> {

    private volatile double offered = -1;
    private volatile boolean saidGoodbye;

    double offered() {
      return offered;
    }

    @Override
    public LinkListener<ZoneMessage> accept(Peer peer, Link<ZoneDirection> link) {
      return new LinkListener<>() {

        @Override
        public void onMessage(ZoneMessage message) {
          switch (message.getKindCase()) {
            case HELLO -> {
              link.send(
                  ZoneDirection.newBuilder()
                      .setHello(ControllerHello.newBuilder().setControllerId("c").setRegion("eu"))
                      .build());
              link.send(
                  ZoneDirection.newBuilder()
                      .setRules(RuleMessages.all(Samples.payments(1)))
                      .build());
            }
            case REPORT -> report(message.getReport());
            case GOODBYE -> saidGoodbye = true;
            case KIND_NOT_SET -> {}
          }
        }

        @Override
        public void onClosed(String reason) {}

        private void report(ZoneReport report) {
          offered = report.getOfferedList().stream().mapToDouble(rate -> rate).sum();
          Directives.Builder directives =
              Directives.newBuilder().setConfigVersion(1).setTtlMillis(5000).setComplete(true);
          if (report.getBucketCount() > 0) {
            directives
                .addBucket(report.getBucket(0))
                .addLevel(3)
                .addAccept(Directive.accept(1.0 / 3));
          }
          link.send(ZoneDirection.newBuilder().setDirectives(directives).build());
        }
      };
    }
  }

  private final class Agent implements LinkListener<AgentDirection> {

    private final List<AgentDirection> received = new CopyOnWriteArrayList<>();
    private final Link<AgentMessage> link;
    private volatile boolean closed;

    Agent() {
      link =
          connector(AggregationGrpc.getConnectMethod())
              .connect("127.0.0.1:" + aggregatorServer.getPort(), this);
    }

    void send(AgentMessage.Builder message) {
      loop.execute(() -> link.send(message.build()));
    }

    void end() {
      loop.execute(link::close);
    }

    @Override
    public void onMessage(AgentDirection message) {
      received.add(message);
    }

    @Override
    public void onClosed(String reason) {
      closed = true;
    }
  }
}
