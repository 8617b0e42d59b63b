package io.headgate.server.run;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerCredentials;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Where agents and other tiers connect to, with health by {@code grpc.health.v1}. */
final class GrpcPort {

  /** The largest message of a peer; a report of 100,000 buckets takes less. */
  private static final int MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

  /** A peer that has vanished without a word is noticed within these two. */
  private static final long KEEP_ALIVE_SECONDS = 10;

  private static final long KEEP_ALIVE_TIMEOUT_SECONDS = 5;

  /** Agents may ask no more often than this whether the server is still there. */
  private static final long PERMITTED_KEEP_ALIVE_SECONDS = 5;

  /** A peer needs one stream; some more let it reconnect while the old one is being noticed. */
  private static final int MAX_STREAMS_PER_CONNECTION = 16;

  private static final long DRAIN_SECONDS = 1;

  private final HostPort listen;
  private final HealthStatusManager health = new HealthStatusManager();
  private final Server server;
  private final Server inProcess;

  /**
   * A port that is not open yet.
   *
   * @param inProcessName where roles of the same process connect to
   */
  GrpcPort(HostPort listen, String inProcessName, @Nullable TlsFiles tls, List<RunningRole> roles) {
    this.listen = listen;
    ServerCredentials credentials =
        tls == null ? InsecureServerCredentials.create() : tls.serverCredentials();
    NettyServerBuilder netty =
        NettyServerBuilder.forAddress(listen.socketAddress(), credentials)
            .maxConcurrentCallsPerConnection(MAX_STREAMS_PER_CONNECTION)
            .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .permitKeepAliveTime(PERMITTED_KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(health.getHealthService())
            .addService(ProtoReflectionServiceV1.newInstance());
    server = withRoles(netty, roles);
    inProcess = withRoles(InProcessServerBuilder.forName(inProcessName), roles);
    setServing(false);
  }

  /** Handlers only pass messages on to a role's loop, which is why they need no threads. */
  private static Server withRoles(ServerBuilder<?> builder, List<RunningRole> roles) {
    builder.directExecutor().maxInboundMessageSize(MAX_MESSAGE_BYTES);
    roles.forEach(role -> role.services().forEach(builder::addService));
    return builder.build();
  }

  /** Opens the port and says where it is. */
  HostPort open() {
    try {
      inProcess.start();
      server.start();
    } catch (IOException e) {
      inProcess.shutdownNow();
      throw UserError.failed(
          "--listen: cannot listen on "
              + listen
              + ": "
              + innermost(e).getMessage()
              + " (expected: an own address and a free port; port 0 takes any)");
    }
    return listen.withPort(server.getPort());
  }

  /** What health says. */
  void setServing(boolean serving) {
    health.setStatus(
        HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
        serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
  }

  /** Tells peers to go elsewhere and closes the port. */
  void close() {
    health.enterTerminalState();
    server.shutdown();
    inProcess.shutdownNow();
    try {
      if (!server.awaitTermination(DRAIN_SECONDS, TimeUnit.SECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /** What is at the bottom of a failure; wrappers say less than it does. */
  static Throwable innermost(Throwable thrown) {
    Throwable inner = thrown;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }
}
