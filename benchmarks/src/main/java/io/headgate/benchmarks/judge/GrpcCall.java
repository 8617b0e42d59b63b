package io.headgate.benchmarks.judge;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.stub.ClientCalls;
import io.headgate.agent.grpc.HeadgateClientInterceptor;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A unary gRPC call of 100 bytes each way, bare and through the client interceptor. */
@State(Scope.Benchmark)
public class GrpcCall {

  private static final byte[] REQUEST = new byte[100];

  /** How the server is reached. */
  @Param({EchoServer.IN_PROCESS, EchoServer.LOOPBACK})
  public String transport;

  private EchoServer server;
  private SteeredAgent agent;
  private Channel gated;

  /** Starts the server, and an agent whose one bucket has a directive that drops nothing. */
  @Setup
  public void start() throws IOException, InterruptedException {
    server = EchoServer.start(transport);
    agent = SteeredAgent.start(SteeredAgent.CALLER, 1, 0);
    gated =
        ClientInterceptors.intercept(
            server.channel(), HeadgateClientInterceptor.of(agent.agent(), SteeredAgent.SERVICE));
  }

  /** Ends them. */
  @TearDown
  public void end() {
    agent.close();
    server.close();
  }

  /** Through the interceptor. */
  @Benchmark
  public byte[] headgate() {
    return call(gated);
  }

  /** No interceptor. */
  @Benchmark
  public byte[] bare() {
    return call(server.channel());
  }

  private static byte[] call(Channel channel) {
    return ClientCalls.blockingUnaryCall(channel, EchoServer.METHOD, CallOptions.DEFAULT, REQUEST);
  }
}
