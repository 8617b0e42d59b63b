package io.headgate.envoy.proxy;

import io.envoyproxy.envoy.service.metrics.v3.MetricsServiceGrpc;
import io.envoyproxy.envoy.service.metrics.v3.StreamMetricsMessage;
import io.envoyproxy.envoy.service.metrics.v3.StreamMetricsResponse;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;

/** A stream of counts whose other end is a test. */
final class CountsCall extends ServerCall<StreamMetricsMessage, StreamMetricsResponse> {

  private final Listener<StreamMetricsMessage> listener;
  private int wanted;

  @SuppressWarnings("unchecked")
  CountsCall(World world) {
    ServerCallHandler<StreamMetricsMessage, StreamMetricsResponse> handler =
        (ServerCallHandler<StreamMetricsMessage, StreamMetricsResponse>)
            world.plane.services().get(0).getMethods().iterator().next().getServerCallHandler();
    listener = handler.startCall(this, new Metadata());
  }

  void send(StreamMetricsMessage message) {
    if (wanted == 0) {
      throw new AssertionError("the stream is not read on");
    }
    wanted--;
    listener.onMessage(message);
  }

  /** The proxy is gone. */
  void cancel() {
    listener.onCancel();
  }

  @Override
  public void request(int numMessages) {
    wanted += numMessages;
  }

  @Override
  public void sendHeaders(Metadata headers) {}

  @Override
  public void sendMessage(StreamMetricsResponse message) {}

  @Override
  public void close(Status status, Metadata trailers) {}

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public Attributes getAttributes() {
    return Attributes.EMPTY;
  }

  @Override
  public MethodDescriptor<StreamMetricsMessage, StreamMetricsResponse> getMethodDescriptor() {
    return MetricsServiceGrpc.getStreamMetricsMethod();
  }
}
