package io.headgate.agent.grpc;

import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Metadata;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A call that is over as it starts, and sends nothing. */
final class DroppedCall<ReqT, RespT> extends ClientCall<ReqT, RespT> {

  private final DroppedStatus dropped;
  private final @Nullable Executor executor;

  /**
   * A call that will end with {@code dropped}.
   *
   * @param executor where to tell the listener; null for the thread that starts the call
   */
  DroppedCall(DroppedStatus dropped, @Nullable Executor executor) {
    this.dropped = dropped;
    this.executor = executor;
  }

  @Override
  public void start(Listener<RespT> listener, Metadata headers) {
    if (executor == null) {
      listener.onClose(dropped.status(), dropped.trailers());
    } else {
      executor.execute(
          Context.current().wrap(() -> listener.onClose(dropped.status(), dropped.trailers())));
    }
  }

  @Override
  public void request(int numMessages) {}

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {}

  @Override
  public void halfClose() {}

  @Override
  public void sendMessage(ReqT message) {}
}
