package io.headgate.protocol.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.AggregationGrpc;
import io.headgate.protocol.v1.Goodbye;
import io.headgate.protocol.v1.Report;
import io.headgate.protocol.v1.SlowDown;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Links over real gRPC on the loopback interface. */
class GrpcLinkTest {

  private final ThreadEventLoop serverLoop = ThreadEventLoop.start("server");
  private final ThreadEventLoop clientLoop = ThreadEventLoop.start("client");
  private final Ear<AgentMessage> atServer = new Ear<>();
  private final Ear<AgentDirection> atClient = new Ear<>();
  private final AtomicReference<Link<AgentDirection>> serverLink = new AtomicReference<>();
  private Server server;

  @BeforeEach
  void serve() throws Exception {
    GrpcAcceptor<AgentMessage, AgentDirection> acceptor =
        new GrpcAcceptor<>(
            AggregationGrpc.getConnectMethod(),
            serverLoop,
            (peer, link) -> {
              serverLink.set(link);
              return atServer;
            });
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .addService(
                ServerServiceDefinition.builder(AggregationGrpc.getServiceDescriptor())
                    .addMethod(AggregationGrpc.getConnectMethod(), acceptor)
                    .build())
            .build()
            .start();
  }

  @AfterEach
  void end() throws Exception {
    server.shutdownNow().awaitTermination();
    clientLoop.close();
    serverLoop.close();
  }

  @Test
  void messagesArriveInOrderOnTheOwnersLoopInBothDirections() {
    Link<AgentMessage> link = connect("127.0.0.1:" + server.getPort());
    for (int sequence = 1; sequence <= 1000; sequence++) {
      int number = sequence;
      clientLoop.execute(() -> link.send(report(number)));
    }
    await().until(() -> atServer.messages.size() == 1000);
    serverLoop.execute(() -> serverLink.get().send(slowDown(7)));
    await().until(() -> atClient.messages.size() == 1);

    assertThat(atServer.messages).extracting(m -> m.getReport().getSequence()).isSorted();
    assertThat(atServer.threads).containsOnly("server");
    assertThat(atClient.threads).containsOnly("client");
    assertThat(atClient.messages.get(0).getSlowDown().getIntervalMillis()).isEqualTo(7);
  }

  @Test
  void whatWasSentBeforeCloseStillArrivesAndThePeerHearsOfTheEnd() {
    Link<AgentMessage> link = connect("127.0.0.1:" + server.getPort());
    clientLoop.execute(
        () -> {
          link.send(report(1));
          link.send(AgentMessage.newBuilder().setGoodbye(Goodbye.getDefaultInstance()).build());
          link.close();
        });
    await().until(() -> atServer.closed.size() == 1);

    assertThat(atServer.messages).hasSize(2);
    // The stream's end and its cancellation are both on their way; whichever comes first is told.
    assertThat(atServer.closed)
        .singleElement()
        .satisfies(reason -> assertThat(reason).matches("ended by the peer|CANCELLED.*"));
    assertThat(atClient.closed).isEmpty();
  }

  @Test
  void aServerThatEndsALinkIsHeardOnce() {
    Link<AgentMessage> link = connect("127.0.0.1:" + server.getPort());
    clientLoop.execute(() -> link.send(report(1)));
    await().until(() -> atServer.messages.size() == 1);
    serverLoop.execute(() -> serverLink.get().close());
    await().until(() -> !atClient.closed.isEmpty());

    assertThat(atClient.closed).hasSize(1);
    assertThat(atServer.closed).isEmpty();
  }

  @Test
  void aServerThatDiesIsHeardAsAClosedLink() {
    Link<AgentMessage> link = connect("127.0.0.1:" + server.getPort());
    clientLoop.execute(() -> link.send(report(1)));
    await().until(() -> atServer.messages.size() == 1);
    server.shutdownNow();
    await().until(() -> atClient.closed.size() == 1);

    assertThat(atClient.closed.get(0)).isNotEmpty();
  }

  @Test
  void whereNobodyListensTheLinkIsClosedAndNothingIsThrown() {
    int port = server.getPort();
    server.shutdownNow();
    connect("127.0.0.1:" + port);
    await().until(() -> atClient.closed.size() == 1);

    assertThat(atClient.closed.get(0)).startsWith("UNAVAILABLE");
  }

  @Test
  void anAddressThatMakesNoSenseIsToldToTheListener() {
    connect("no such thing");
    await().until(() -> atClient.closed.size() == 1);

    assertThat(atClient.closed.get(0)).isNotEmpty();
  }

  private Link<AgentMessage> connect(String address) {
    GrpcConnector<AgentMessage, AgentDirection> connector =
        new GrpcConnector<>(
            AggregationGrpc.getConnectMethod(),
            clientLoop,
            target -> Grpc.newChannelBuilder(target, InsecureChannelCredentials.create()).build());
    return connector.connect(address, atClient);
  }

  private static AgentMessage report(int sequence) {
    return AgentMessage.newBuilder().setReport(Report.newBuilder().setSequence(sequence)).build();
  }

  private static AgentDirection slowDown(int millis) {
    return AgentDirection.newBuilder()
        .setSlowDown(SlowDown.newBuilder().setIntervalMillis(millis))
        .build();
  }

  /** Remembers what it hears, and on which thread. */
  private static final class Ear<T> implements LinkListener<T> {

    final List<T> messages = new CopyOnWriteArrayList<>();
    final List<String> threads = new CopyOnWriteArrayList<>();
    final List<String> closed = new CopyOnWriteArrayList<>();

    @Override
    public void onMessage(T message) {
      threads.add(Thread.currentThread().getName());
      messages.add(message);
    }

    @Override
    public void onClosed(String reason) {
      closed.add(reason);
    }
  }
}
