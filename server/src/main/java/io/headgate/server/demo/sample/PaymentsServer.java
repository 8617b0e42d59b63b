package io.headgate.server.demo.sample;

import com.google.protobuf.Int64Value;
import com.google.protobuf.StringValue;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.LongAdder;

/** The sample service on loopback: a port for gRPC, one for HTTP. It answers at once. */
public final class PaymentsServer implements AutoCloseable {

  private final LongAdder served = new LongAdder();
  private final Server grpc;
  private final com.linecorp.armeria.server.Server http;

  private PaymentsServer(EventLoopGroup threads) {
    grpc =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                InsecureServerCredentials.create())
            .channelType(NioServerSocketChannel.class)
            .bossEventLoopGroup(threads)
            .workerEventLoopGroup(threads)
            .directExecutor()
            .addService(
                ServerServiceDefinition.builder(Payments.GRPC_SERVICE)
                    .addMethod(Payments.CHARGE, ServerCalls.asyncUnaryCall(this::charge))
                    .addMethod(Payments.REFUND, ServerCalls.asyncUnaryCall(this::refund))
                    .addMethod(Payments.LOOKUP, ServerCalls.asyncUnaryCall(this::lookup))
                    .build())
            .build();
    http =
        com.linecorp.armeria.server.Server.builder()
            .meterRegistry(NoopMeterRegistry.get())
            .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .service(Payments.BALANCE_PATH, (ctx, request) -> balance())
            .build();
  }

  /**
   * Starts it.
   *
   * @param threads for gRPC; they stay the caller's
   * @throws IOException if it cannot listen
   */
  public static PaymentsServer start(EventLoopGroup threads) throws IOException {
    PaymentsServer server = new PaymentsServer(threads);
    server.grpc.start();
    server.http.start().join();
    return server;
  }

  /** Where its gRPC procedures are. */
  public String grpcAddress() {
    return "127.0.0.1:" + grpc.getPort();
  }

  /** Where its HTTP procedure is. */
  public String httpAddress() {
    return "127.0.0.1:" + http.activeLocalPort();
  }

  /** How many calls have come to it. */
  public long served() {
    return served.sum();
  }

  private void charge(Int64Value cents, StreamObserver<StringValue> answer) {
    answer(answer, "payment of " + cents.getValue());
  }

  private void refund(Int64Value cents, StreamObserver<StringValue> answer) {
    answer(answer, "refund of " + cents.getValue());
  }

  private void lookup(Int64Value number, StreamObserver<StringValue> answer) {
    answer(answer, "payment " + number.getValue());
  }

  private void answer(StreamObserver<StringValue> answer, String text) {
    served.increment();
    answer.onNext(StringValue.of(text));
    answer.onCompleted();
  }

  private HttpResponse balance() {
    served.increment();
    return HttpResponse.of(MediaType.JSON, "{\"cents\": 0}");
  }

  @Override
  public void close() {
    grpc.shutdownNow();
    http.stop().join();
  }
}
