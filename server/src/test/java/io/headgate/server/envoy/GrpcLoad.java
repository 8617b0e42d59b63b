package io.headgate.server.envoy;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Calls of a gRPC client at a steady rate; those with RESOURCE_EXHAUSTED were limited. */
final class GrpcLoad extends Load {

  private static final byte[] REQUEST = {1, 2, 3};

  private final ManagedChannel connection;
  private final Channel channel;
  private final double perSecond;
  private final AtomicLong sent = new AtomicLong();
  private final Thread thread = new Thread(this::run, "grpc load");
  private volatile boolean closed;

  GrpcLoad(InetSocketAddress target, String caller, double perSecond) {
    this.perSecond = perSecond;
    connection =
        Grpc.newChannelBuilderForAddress(
                target.getHostString(), target.getPort(), InsecureChannelCredentials.create())
            .disableRetry()
            .build();
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("x-headgate-caller", Metadata.ASCII_STRING_MARSHALLER), caller);
    channel =
        ClientInterceptors.intercept(
            connection, MetadataUtils.newAttachHeadersInterceptor(headers));
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    long dueNanos = System.nanoTime();
    while (!closed) {
      long nowNanos = System.nanoTime();
      if (nowNanos < dueNanos) {
        LockSupport.parkNanos(dueNanos - nowNanos);
        continue;
      }
      dueNanos = Math.max(dueNanos + (long) (1e9 / perSecond), nowNanos - SLOT_NANOS);
      sent.incrementAndGet();
      ClientCalls.asyncUnaryCall(
          channel.newCall(Upstream.METHOD, CallOptions.DEFAULT), REQUEST, new Answer(slot()));
    }
  }

  private final class Answer implements StreamObserver<byte[]> {

    private final int slot;

    Answer(int slot) {
      this.slot = slot;
    }

    @Override
    public void onNext(byte[] answer) {}

    @Override
    public void onError(Throwable t) {
      Status status = Status.fromThrowable(t);
      if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED
          && "rate limited".equals(status.getDescription())) {
        noteLimited(slot, 1);
      } else {
        noteFailed(1);
      }
    }

    @Override
    public void onCompleted() {
      notePassed(slot, 1);
    }
  }

  long sent() {
    return sent.get();
  }

  /** Waits for the answers to all calls. */
  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
    connection.shutdown();
    connection.awaitTermination(6, TimeUnit.SECONDS);
    connection.shutdownNow();
  }
}
