package io.headgate.agent;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Makes the channels to aggregators, and waits at the end until the last has left. */
final class AgentChannels {

  private static final long KEEP_ALIVE_SECONDS = 10;
  private static final long KEEP_ALIVE_TIMEOUT_SECONDS = 5;

  private final ChannelCredentials credentials;
  private final Set<ManagedChannel> open = ConcurrentHashMap.newKeySet();

  AgentChannels(ChannelCredentials credentials) {
    this.credentials = credentials;
  }

  ManagedChannel open(String address) {
    open.removeIf(ManagedChannel::isTerminated);
    ManagedChannel channel =
        Grpc.newChannelBuilder(address, credentials)
            .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
            // Listeners do nothing but hand over to the event loop.
            .directExecutor()
            .build();
    open.add(channel);
    return channel;
  }

  /**
   * Waits until the peers have heard all that was sent on channels that were shut down, or until
   * the time is over, and cuts off what is left.
   */
  void awaitTermination(long timeoutNanos) throws InterruptedException {
    long deadline = System.nanoTime() + timeoutNanos;
    try {
      for (ManagedChannel channel : open) {
        if (!channel.awaitTermination(
            Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
          return;
        }
      }
    } finally {
      open.forEach(ManagedChannel::shutdownNow);
    }
  }
}
