package io.headgate.server.demo.sample;

import com.google.protobuf.Int64Value;
import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.headgate.agent.call.CallHeaders;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** One caller of the sample service that knows nothing of limits: it calls through an Envoy. */
final class EnvoyCaller implements AutoCloseable {

  private static final long DEADLINE_SECONDS = 2;
  private static final Int64Value REQUEST = Int64Value.of(4_200);
  private static final Metadata.Key<String> CALLER =
      Metadata.Key.of(CallHeaders.CALLER, Metadata.ASCII_STRING_MARSHALLER);

  private final String name;
  private final ManagedChannel channel;
  private final CallOutcomes all;
  private final Map<String, CallOutcomes> byProcedure = new ConcurrentHashMap<>();

  /**
   * A caller.
   *
   * @param name as which it makes itself known
   * @param envoy where it calls
   * @param threads for its calls; they stay the caller's
   * @param all told of the end of each call
   */
  EnvoyCaller(String name, String envoy, EventLoopGroup threads, CallOutcomes all) {
    this.name = name;
    this.all = all;
    channel =
        NettyChannelBuilder.forTarget(envoy, InsecureChannelCredentials.create())
            .channelType(NioSocketChannel.class)
            .eventLoopGroup(threads)
            .directExecutor()
            .build();
  }

  /** What became of its calls, by procedure. */
  Map<String, CallOutcomes> outcomes() {
    return byProcedure;
  }

  /** Calls a procedure; returns at once. */
  void call(MethodDescriptor<Int64Value, StringValue> method) {
    CallOutcomes outcomes =
        byProcedure.computeIfAbsent(method.getFullMethodName(), procedure -> new CallOutcomes());
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS);
    ClientCall<Int64Value, StringValue> call = channel.newCall(method, options);
    Metadata headers = new Metadata();
    headers.put(CALLER, name);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            note(status, all);
            note(status, outcomes);
          }
        },
        headers);
    call.request(1);
    call.sendMessage(REQUEST);
    call.halfClose();
  }

  private static void note(Status status, CallOutcomes outcomes) {
    if (status.isOk()) {
      outcomes.answered();
    } else if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
      outcomes.dropped();
    } else {
      outcomes.failed(status.toString());
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
