package io.headgate.benchmarks.loop;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Makes channels and counts what goes over them: messages, and their bytes as gRPC writes them to
 * the transport, with the five bytes before each, without the headers of HTTP/2 frames and TCP.
 */
final class Traffic implements AutoCloseable {

  private static final long CLOSE_TIMEOUT_SECONDS = 5;

  private final Queue<ManagedChannel> channels = new ConcurrentLinkedQueue<>();
  private final LongAdder messagesUp = new LongAdder();
  private final LongAdder messagesDown = new LongAdder();
  private final LongAdder bytesUp = new LongAdder();
  private final LongAdder bytesDown = new LongAdder();

  private final ClientStreamTracer.Factory tracers =
      new ClientStreamTracer.Factory() {
        @Override
        public ClientStreamTracer newClientStreamTracer(
            ClientStreamTracer.StreamInfo info, Metadata headers) {
          return new Tracer();
        }
      };

  /** A channel of its own, to {@code host:port}, in plain text. */
  ManagedChannel open(String address) {
    ManagedChannel channel =
        Grpc.newChannelBuilder(address, InsecureChannelCredentials.create())
            .directExecutor() // Links hand over to their event loop at once.
            .intercept(new Traced())
            .build();
    channels.add(channel);
    return channel;
  }

  /** Channels that were made so far. */
  int channels() {
    return channels.size();
  }

  /** What has gone over all channels so far. */
  Totals totals() {
    return new Totals(messagesUp.sum(), messagesDown.sum(), bytesUp.sum(), bytesDown.sum());
  }

  /** Ends all channels, and waits until they have ended. */
  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_TIMEOUT_SECONDS);
    try {
      for (ManagedChannel channel : channels) {
        channel.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Counts since the beginning; up is from agents to the aggregator. */
  record Totals(long messagesUp, long messagesDown, long bytesUp, long bytesDown) {}

  private final class Traced implements ClientInterceptor {

    @Override
    public <ReqT, RespT> ClientCall<ReqT, RespT> interceptCall(
        MethodDescriptor<ReqT, RespT> method, CallOptions options, Channel next) {
      return next.newCall(method, options.withStreamTracerFactory(tracers));
    }
  }

  private final class Tracer extends ClientStreamTracer {

    @Override
    public void outboundMessage(int sequence) {
      messagesUp.increment();
    }

    @Override
    public void inboundMessage(int sequence) {
      messagesDown.increment();
    }

    @Override
    public void outboundWireSize(long bytes) {
      bytesUp.add(bytes);
    }

    @Override
    public void inboundWireSize(long bytes) {
      bytesDown.add(bytes);
    }
  }
}
