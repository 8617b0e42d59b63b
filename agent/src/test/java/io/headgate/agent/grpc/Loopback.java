package io.headgate.agent.grpc;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Servers and channels on real sockets of this machine, which end with the test. */
final class Loopback implements AutoCloseable {

  private final List<Server> servers = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();

  /** Starts a server of {@code service}; the first interceptor is the first to see a call. */
  Server serve(
      ServerCredentials credentials, PaymentsService service, ServerInterceptor... interceptors)
      throws IOException {
    List<ServerInterceptor> outermostFirst = new ArrayList<>(Arrays.asList(interceptors));
    outermostFirst.add(service);
    Server server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), credentials)
            .addService(ServerInterceptors.interceptForward(service, outermostFirst))
            .build()
            .start();
    servers.add(server);
    return server;
  }

  ManagedChannel open(int port, ChannelCredentials credentials, ClientInterceptor... interceptors) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), credentials)
            .overrideAuthority("localhost")
            .defaultServiceConfig(retryEverything())
            .intercept(interceptors)
            .build();
    channels.add(channel);
    return channel;
  }

  /** A retry policy that would repeat calls at once, were it let. */
  private static Map<String, ?> retryEverything() {
    return Map.of(
        "methodConfig",
        List.of(
            Map.of(
                "name",
                List.of(Map.of()),
                "retryPolicy",
                Map.of(
                    "maxAttempts",
                    4.0,
                    "initialBackoff",
                    "0.001s",
                    "maxBackoff",
                    "0.01s",
                    "backoffMultiplier",
                    1.0,
                    "retryableStatusCodes",
                    List.of("RESOURCE_EXHAUSTED", "UNAVAILABLE")))));
  }

  static void charge(Channel channel) {
    charge(channel, CallOptions.DEFAULT);
  }

  static void charge(Channel channel, CallOptions options) {
    ClientCalls.blockingUnaryCall(
        channel,
        PaymentsService.CHARGE,
        options.withDeadlineAfter(20, TimeUnit.SECONDS),
        StringValue.of("10"));
  }

  /** Sends these headers with each call: names and values in turn. */
  static ClientInterceptor headers(String... namesAndValues) {
    Metadata headers = new Metadata();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.put(
          Metadata.Key.of(namesAndValues[i], Metadata.ASCII_STRING_MARSHALLER),
          namesAndValues[i + 1]);
    }
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  @Override
  public void close() throws InterruptedException {
    channels.forEach(ManagedChannel::shutdownNow);
    servers.forEach(Server::shutdownNow);
    for (Server server : servers) {
      server.awaitTermination(5, TimeUnit.SECONDS);
    }
  }
}
