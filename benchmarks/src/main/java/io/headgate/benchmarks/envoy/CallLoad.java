package io.headgate.benchmarks.envoy;

import com.google.common.util.concurrent.MoreExecutors;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** One call after the other. */
final class CallLoad {

  private static final int DIGITS = 3;
  private static final int KEYS = 1_000;

  private CallLoad() {}

  private static RateLimitRequest[] requests() {
    RateLimitRequest[] requests = new RateLimitRequest[KEYS];
    for (int i = 0; i < KEYS; i++) {
      requests[i] =
          RateLimitRequest.newBuilder()
              .setDomain("benchmark")
              .addDescriptors(
                  RateLimitDescriptor.newBuilder()
                      .addEntries(
                          RateLimitDescriptor.Entry.newBuilder()
                              .setKey("path")
                              .setValue("/" + Integer.toHexString(i * 0x9E3779B9))))
              .build();
    }
    return requests;
  }

  /** How long calls of a service take, in nanoseconds. */
  static Histogram calls(String address, long warmUpNanos, long nanos) {
    ManagedChannel channel =
        Grpc.newChannelBuilder(address, InsecureChannelCredentials.create())
            .executor(MoreExecutors.directExecutor())
            .build();
    try {
      RateLimitServiceGrpc.RateLimitServiceBlockingStub stub =
          RateLimitServiceGrpc.newBlockingStub(channel);
      Consumer<RateLimitRequest> call = stub::shouldRateLimit;
      times(call, warmUpNanos);
      return times(call, nanos);
    } finally {
      channel.shutdownNow();
    }
  }

  /** How long something takes, in nanoseconds. */
  static Histogram times(Consumer<RateLimitRequest> ask, long nanos) {
    RateLimitRequest[] requests = requests();
    Histogram times = new Histogram(TimeUnit.SECONDS.toNanos(10), DIGITS);
    long begun = System.nanoTime();
    long before = begun;
    for (int i = 0; before - begun < nanos; i++) {
      ask.accept(requests[i % requests.length]);
      long after = System.nanoTime();
      times.recordValue(Math.min(after - before, TimeUnit.SECONDS.toNanos(10)));
      before = after;
    }
    return times;
  }
}
