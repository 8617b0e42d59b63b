package io.headgate.server.run;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.inprocess.InProcessChannelBuilder;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes channels to other tiers, and to the own process under its in-process name. */
final class Channels implements Function<String, ManagedChannel> {

  /** Rules of all services come in one message. */
  private static final int MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

  private static final long KEEP_ALIVE_SECONDS = 10;
  private static final long KEEP_ALIVE_TIMEOUT_SECONDS = 5;

  private final String inProcessName;
  private final ChannelCredentials credentials;

  Channels(String inProcessName, @Nullable TlsFiles tls) {
    this.inProcessName = inProcessName;
    credentials = tls == null ? InsecureChannelCredentials.create() : tls.channelCredentials();
  }

  @Override
  public ManagedChannel apply(String address) {
    if (address.equals(inProcessName)) {
      return InProcessChannelBuilder.forName(inProcessName).directExecutor().build();
    }
    return Grpc.newChannelBuilder(address, credentials)
        .directExecutor()
        .maxInboundMessageSize(MAX_MESSAGE_BYTES)
        .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
        .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .build();
  }
}
