package io.headgate.server.ratelimit;

import com.google.protobuf.UInt64Value;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.headgate.server.run.HostPort;
import java.util.concurrent.TimeUnit;

/** Asks a rate limit service as Envoy does, with its deadline. */
final class RateLimitClient implements AutoCloseable {

  /** What Envoy's filter waits by default. */
  static final long ENVOYS_PATIENCE_MILLIS = 20;

  private final ManagedChannel channel;
  private final RateLimitServiceGrpc.RateLimitServiceBlockingStub stub;

  RateLimitClient(HostPort address) {
    channel =
        Grpc.newChannelBuilder(address.toString(), InsecureChannelCredentials.create())
            .directExecutor()
            .build();
    stub = RateLimitServiceGrpc.newBlockingStub(channel);
  }

  ManagedChannel channel() {
    return channel;
  }

  static RateLimitRequest request(String domain, String key, String value, int hits) {
    return RateLimitRequest.newBuilder()
        .setDomain(domain)
        .addDescriptors(
            RateLimitDescriptor.newBuilder()
                .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue(value))
                .setHitsAddend(UInt64Value.of(hits)))
        .build();
  }

  RateLimitResponse ask(RateLimitRequest request, long patienceMillis) {
    return stub.withDeadlineAfter(patienceMillis, TimeUnit.MILLISECONDS).shouldRateLimit(request);
  }

  /** Without hurry. */
  RateLimitResponse ask(RateLimitRequest request) {
    return ask(request, TimeUnit.SECONDS.toMillis(10));
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
