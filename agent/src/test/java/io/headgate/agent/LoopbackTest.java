package io.headgate.agent;

import static io.headgate.agent.Samples.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.headgate.fixtures.FreePorts;
import io.headgate.protocol.link.GrpcAcceptor;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.link.ThreadEventLoop;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.AggregationGrpc;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The agent against a real gRPC server on this machine. */
class LoopbackTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ThreadEventLoop loop = ThreadEventLoop.start("test-aggregator");
  private final List<AgentMessage> received = new CopyOnWriteArrayList<>();
  private final List<Server> servers = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    servers.forEach(Server::shutdownNow);
    loop.close();
  }

  /** Keeps what it receives, and answers a subscription with one rule for all calls. */
  private Server start(int port) throws Exception {
    var method = AggregationGrpc.getConnectMethod();
    var handler =
        new GrpcAcceptor<AgentMessage, AgentDirection>(method, loop, (peer, link) -> listen(link));
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .addService(
                ServerServiceDefinition.builder(AggregationGrpc.SERVICE_NAME)
                    .addMethod(method, handler)
                    .build())
            .build()
            .start();
    servers.add(server);
    return server;
  }

  private LinkListener<AgentMessage> listen(Link<AgentDirection> link) {
    return new LinkListener<>() {
      @Override
      public void onMessage(AgentMessage message) {
        received.add(message);
        if (message.hasSubscribe()) {
          link.send(
              AgentDirection.newBuilder()
                  .setRules(AgentFixture.rules(1, rule("all").build()))
                  .build());
        }
      }

      @Override
      public void onClosed(String reason) {}
    };
  }

  private static HeadgateAgent agent(int port) {
    return HeadgateAgent.builder().service("payments").aggregators("127.0.0.1:" + port).build();
  }

  private long offered() {
    return received.stream()
        .filter(AgentMessage::hasReport)
        .flatMap(message -> message.getReport().getOfferedList().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  @Test
  void closingDeliversTheLastCountsBeforeItReturns() throws Exception {
    HeadgateAgent agent = agent(start(0).getPort());
    Gate gate = agent.gate("checkout", "Charge");
    await().atMost(PATIENCE).until(() -> agent.status().buckets() == 1);
    for (int i = 0; i < 1_000; i++) {
      gate.judge();
    }

    agent.close();

    assertThat(offered()).isEqualTo(1_000);
    assertThat(received.get(received.size() - 1).hasGoodbye()).isTrue();
  }

  @Test
  void closingOneThatHasJustBegunStillSaysGoodbye() throws Exception {
    HeadgateAgent agent = agent(start(0).getPort());

    agent.close();

    assertThat(received)
        .extracting(AgentMessage::getKindCase)
        .containsExactly(
            AgentMessage.KindCase.HELLO,
            AgentMessage.KindCase.REPORT,
            AgentMessage.KindCase.GOODBYE);
  }

  @Test
  void itFindsAnAggregatorThatComesBackOnTheSameAddress() throws Exception {
    Server first = start(0);
    int port = first.getPort();
    HeadgateAgent agent = agent(port);
    agent.gate("checkout", "Charge");
    await().atMost(PATIENCE).until(() -> !agent.status().aggregator().isEmpty());
    first.shutdownNow().awaitTermination();
    await().atMost(PATIENCE).until(() -> agent.status().aggregator().isEmpty());

    start(port);

    await().atMost(PATIENCE).until(() -> !agent.status().aggregator().isEmpty());
    agent.close();
  }

  @Test
  void closingIsBoundedWhereNoAggregatorCanBeReached() throws Exception {
    int unused = FreePorts.next();
    HeadgateAgent agent = agent(unused);
    long begun = System.nanoTime();

    agent.close();

    // Two seconds, and what a busy machine adds.
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(15));
    assertThat(agent.gate("checkout", "Charge").judge()).isSameAs(Verdict.ADMITTED);
  }
}
