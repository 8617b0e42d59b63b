package io.headgate.examples.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.call.CallHeaders;
import io.headgate.agent.grpc.HeadgateClientInterceptor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A caller that calls evenly, and tells each second what became of its calls. */
public final class GreeterClient {

  private static final String CALLER = "front-desk";

  private GreeterClient() {}

  /**
   * Calls for ten seconds, 100 times a second.
   *
   * @param args the port of the service, by default 7201; {@code none} (the default), or {@code
   *     egress} to limit the calls on this side; the address of an aggregator, by default
   *     127.0.0.1:7070
   */
  public static void main(String[] args) {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 7201;
    if (args.length > 1 && args[1].equals("egress")) {
      try (HeadgateAgent agent =
          HeadgateAgent.builder()
              .service(CALLER)
              .region("local")
              .zone("local-1")
              .aggregators(args.length > 2 ? args[2] : "127.0.0.1:7070")
              .build()) {
        call(port, HeadgateClientInterceptor.of(agent, "greeter"));
      }
    } else {
      call(port, callerHeader());
    }
  }

  /** The client interceptor sends this header too; without it, the caller says who it is itself. */
  private static ClientInterceptor callerHeader() {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of(CallHeaders.CALLER, Metadata.ASCII_STRING_MARSHALLER), CALLER);
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  private static void call(int port, ClientInterceptor interceptor) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .intercept(interceptor)
            .build();
    try {
      for (int second = 1; second <= 10; second++) {
        System.out.printf("second %2d: %s%n", second, callForOneSecond(channel, 100));
      }
    } finally {
      channel.shutdownNow();
    }
  }

  static Outcome callForOneSecond(Channel channel, int calls) {
    Outcome outcome = new Outcome();
    long start = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      LockSupport.parkNanos(start + i * TimeUnit.SECONDS.toNanos(1) / calls - System.nanoTime());
      try {
        ClientCalls.blockingUnaryCall(channel, Greeter.GREET, CallOptions.DEFAULT, "World");
        outcome.admitted++;
      } catch (StatusRuntimeException e) {
        if (e.getStatus().getCode() != Status.Code.RESOURCE_EXHAUSTED) {
          throw e;
        }
        outcome.dropped++;
        outcome.reason = String.valueOf(e.getStatus().getDescription());
      }
    }
    return outcome;
  }

  /** What became of some calls. */
  static final class Outcome {
    int admitted;
    int dropped;
    private String reason = "";

    @Override
    public String toString() {
      return "admitted %3d  dropped %3d  %s".formatted(admitted, dropped, reason);
    }
  }
}
