package io.headgate.protocol.link;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.headgate.core.time.EventLoop;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Opens links as gRPC streams, each on a channel of its own that ends with it.
 *
 * @param <OutT> the messages that go out
 * @param <InT> the messages that come in
 */
public final class GrpcConnector<OutT, InT> implements Connector<OutT, InT> {

  /** How long a closed link may take to send what it holds and hear the peer out. */
  private static final long CLOSE_GRACE_SECONDS = 2;

  private final MethodDescriptor<OutT, InT> method;
  private final EventLoop loop;
  private final Function<String, ManagedChannel> channels;

  /**
   * A connector for one method.
   *
   * @param method a bidirectional streaming method
   * @param loop where listeners are called
   * @param channels makes a channel to an address
   */
  public GrpcConnector(
      MethodDescriptor<OutT, InT> method,
      EventLoop loop,
      Function<String, ManagedChannel> channels) {
    this.method = method;
    this.loop = loop;
    this.channels = channels;
  }

  @Override
  public Link<OutT> connect(String address, LinkListener<InT> listener) {
    ManagedChannel channel;
    try {
      channel = channels.apply(address);
    } catch (RuntimeException e) {
      loop.execute(() -> listener.onClosed("no channel to '" + address + "': " + e.getMessage()));
      return new Nowhere<>();
    }
    ClientLink<OutT, InT> link =
        new ClientLink<>(channel, channel.newCall(method, CallOptions.DEFAULT), loop, listener);
    link.start();
    return link;
  }

  private static final class ClientLink<OutT, InT> extends ClientCall.Listener<InT>
      implements Link<OutT> {

    private final ManagedChannel channel;
    private final ClientCall<OutT, InT> call;
    private final EventLoop loop;
    private final LinkListener<InT> listener;
    private boolean over;

    ClientLink(
        ManagedChannel channel,
        ClientCall<OutT, InT> call,
        EventLoop loop,
        LinkListener<InT> listener) {
      this.channel = channel;
      this.call = call;
      this.loop = loop;
      this.listener = listener;
    }

    void start() {
      call.start(this, new Metadata());
      call.request(1);
    }

    @Override
    public void send(OutT message) {
      if (!over) {
        call.sendMessage(message);
      }
    }

    @Override
    public boolean isReady() {
      return !over && call.isReady();
    }

    @Override
    public void close() {
      if (over) {
        return;
      }
      over = true;
      call.halfClose();
      channel.shutdown();
      loop.schedule(TimeUnit.SECONDS.toNanos(CLOSE_GRACE_SECONDS), channel::shutdownNow);
    }

    @Override
    public void onMessage(InT message) {
      loop.execute(
          () -> {
            if (!over) {
              listener.onMessage(message);
            }
            call.request(1);
          });
    }

    @Override
    public void onReady() {
      loop.execute(
          () -> {
            if (!over) {
              listener.onReady();
            }
          });
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      loop.execute(
          () -> {
            channel.shutdownNow();
            if (!over) {
              over = true;
              listener.onClosed(reason(status));
            }
          });
    }

    private static String reason(Status status) {
      @Nullable Throwable cause = status.getCause();
      return status.getCode()
          + (status.getDescription() == null ? "" : ": " + status.getDescription())
          + (cause == null || cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")");
    }
  }

  /** Where there is no channel. */
  private static final class Nowhere<OutT> implements Link<OutT> {

    @Override
    public void send(OutT message) {}

    @Override
    public boolean isReady() {
      return false;
    }

    @Override
    public void close() {}
  }
}
