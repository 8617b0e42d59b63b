package io.headgate.server.run;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Where Envoy proxies connect to. */
final class EnvoyPort {

  /**
   * A proxy that does not split what it flushes sends some 95 bytes a counter in one message:
   * 300,000 counters fit.
   */
  private static final int MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

  /** A proxy that has vanished without a word is noticed within these two. */
  private static final long KEEP_ALIVE_SECONDS = 10;

  private static final long KEEP_ALIVE_TIMEOUT_SECONDS = 5;

  /** Proxies may ask no more often than this whether the server is still there. */
  private static final long PERMITTED_KEEP_ALIVE_SECONDS = 1;

  private static final long DRAIN_SECONDS = 1;

  private final HostPort listen;
  private final Server server;

  /** A port that is not open yet. */
  EnvoyPort(HostPort listen, @Nullable TlsFiles tls, List<ServerServiceDefinition> services) {
    this.listen = listen;
    ServerCredentials credentials =
        tls == null ? InsecureServerCredentials.create() : tls.serverCredentials();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(listen.socketAddress(), credentials)
            .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .permitKeepAliveTime(PERMITTED_KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            // Handlers add up counts or pass messages on to the role's loop.
            .directExecutor();
    services.forEach(builder::addService);
    server = builder.build();
  }

  /** Opens the port and says where it is. */
  HostPort open() {
    try {
      server.start();
    } catch (IOException e) {
      throw UserError.failed(
          "--envoy: cannot listen on "
              + listen
              + ": "
              + GrpcPort.innermost(e).getMessage()
              + " (expected: an own address and a free port; port 0 takes any)");
    }
    return listen.withPort(server.getPort());
  }

  /** Has proxies go elsewhere and closes the port. */
  void close() {
    server.shutdown();
    try {
      // Proxies keep their streams as long as they may.
      if (!server.awaitTermination(DRAIN_SECONDS, TimeUnit.SECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
