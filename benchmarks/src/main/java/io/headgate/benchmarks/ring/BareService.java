package io.headgate.benchmarks.ring;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.headgate.protocol.gubernator.GetRateLimitsReq;
import io.headgate.protocol.gubernator.GetRateLimitsResp;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import io.headgate.protocol.gubernator.V1Grpc;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The peer of the benchmark: a gRPC service with the messages of the cluster that only counts on a
 * map, or passes each call on to another one. What it costs, gRPC costs.
 */
public final class BareService extends V1Grpc.V1ImplBase {

  private final ConcurrentHashMap<String, AtomicLong> counts = new ConcurrentHashMap<>();

  private BareService() {}

  /**
   * Serves until standard input ends.
   *
   * @param args none, or the {@code host:port} to pass calls on to
   */
  public static void main(String[] args) throws IOException {
    V1Grpc.V1ImplBase service = args.length == 0 ? new BareService() : new Hop(args[0]);
    Server server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                InsecureServerCredentials.create())
            .directExecutor()
            .addService(service)
            .build()
            .start();
    System.out.println("ready: grpc 127.0.0.1:" + server.getPort());
    System.in.transferTo(OutputStream.nullOutputStream());
    server.shutdownNow();
  }

  @Override
  public void getRateLimits(GetRateLimitsReq call, StreamObserver<GetRateLimitsResp> observer) {
    GetRateLimitsResp.Builder answer = GetRateLimitsResp.newBuilder();
    for (RateLimitReq request : call.getRequestsList()) {
      String key = request.getName() + "_" + request.getUniqueKey();
      long used = counts.computeIfAbsent(key, k -> new AtomicLong()).addAndGet(request.getHits());
      answer.addResponses(
          RateLimitResp.newBuilder()
              .setLimit(request.getLimit())
              .setRemaining(request.getLimit() - used)
              .setResetTime(request.getDuration()));
    }
    observer.onNext(answer.build());
    observer.onCompleted();
  }

  /** Passes each call on. */
  private static final class Hop extends V1Grpc.V1ImplBase {

    private final V1Grpc.V1Stub next;

    Hop(String target) {
      next =
          V1Grpc.newStub(
              Grpc.newChannelBuilder(target, InsecureChannelCredentials.create())
                  .directExecutor()
                  .build());
    }

    @Override
    public void getRateLimits(GetRateLimitsReq call, StreamObserver<GetRateLimitsResp> observer) {
      next.getRateLimits(call, observer);
    }
  }
}
