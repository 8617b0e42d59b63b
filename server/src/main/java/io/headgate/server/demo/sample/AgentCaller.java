package io.headgate.server.demo.sample;

import com.google.protobuf.Int64Value;
import com.google.protobuf.StringValue;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpStatus;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.headgate.agent.Gate;
import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.grpc.HeadgateClientInterceptor;
import java.util.concurrent.TimeUnit;

/**
 * One caller of the sample service, with an agent. It is set up as a process would be: it has an
 * agent and connections of its own, and its calls are judged before they are sent.
 */
final class AgentCaller implements AutoCloseable {

  private static final long DEADLINE_SECONDS = 2;
  private static final Int64Value REQUEST = Int64Value.of(4_200);

  private final HeadgateAgent agent;
  private final ManagedChannel connection;
  private final Channel channel;
  private final WebClient http;
  private final Gate balanceGate;
  private final CallOutcomes outcomes;

  /**
   * A caller.
   *
   * @param agent its agent, which it closes
   * @param threads for its gRPC calls; they stay the caller's
   * @param outcomes told of the end of each call
   */
  AgentCaller(
      HeadgateAgent agent, PaymentsServer server, EventLoopGroup threads, CallOutcomes outcomes) {
    this.agent = agent;
    this.outcomes = outcomes;
    connection =
        NettyChannelBuilder.forTarget(server.grpcAddress(), InsecureChannelCredentials.create())
            .channelType(NioSocketChannel.class)
            .eventLoopGroup(threads)
            .directExecutor()
            .build();
    channel =
        ClientInterceptors.intercept(
            connection, HeadgateClientInterceptor.of(agent, Payments.SERVICE));
    http = WebClient.of("http://" + server.httpAddress());
    balanceGate = agent.gate(Payments.SERVICE, agent.service(), Payments.BALANCE);
  }

  /** Its agent. */
  public HeadgateAgent agent() {
    return agent;
  }

  /** Calls a gRPC procedure; returns at once. */
  public void call(MethodDescriptor<Int64Value, StringValue> method) {
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS);
    ClientCall<Int64Value, StringValue> call = channel.newCall(method, options);
    call.start(new End(outcomes), new Metadata());
    call.request(1);
    call.sendMessage(REQUEST);
    call.halfClose();
  }

  /** Calls the HTTP procedure; returns at once. */
  public void getBalance() {
    if (!balanceGate.judge().admitted()) {
      outcomes.dropped();
      return;
    }
    http.get(Payments.BALANCE_PATH)
        .aggregate()
        .whenComplete(
            (response, failure) -> {
              if (failure != null) {
                outcomes.failed(failure.toString());
              } else if (response.status().equals(HttpStatus.OK)) {
                outcomes.answered();
              } else {
                outcomes.failed("HTTP status " + response.status());
              }
            });
  }

  /** Notes the end of a call; unlike a stub's observer it makes no exception of a status. */
  private static final class End extends ClientCall.Listener<StringValue> {

    private final CallOutcomes outcomes;

    End(CallOutcomes outcomes) {
      this.outcomes = outcomes;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (status.isOk()) {
        outcomes.answered();
      } else if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
        outcomes.dropped();
      } else {
        outcomes.failed(status.toString());
      }
    }
  }

  @Override
  public void close() {
    connection.shutdownNow();
    agent.close();
  }
}
