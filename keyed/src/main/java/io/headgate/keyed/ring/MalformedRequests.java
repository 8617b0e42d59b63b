package io.headgate.keyed.ring;

import io.grpc.BindableService;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests that are no messages as Go's gRPC does. By itself, Java's says UNKNOWN and logs
 * a stack trace for each.
 */
final class MalformedRequests {

  private static final Status MALFORMED =
      Status.INTERNAL.withDescription(
          "grpc: error unmarshalling request: proto: cannot parse invalid wire-format data");

  private MalformedRequests() {}

  /** The same service with these answers. */
  static ServerServiceDefinition answered(BindableService service) {
    ServerServiceDefinition plain = service.bindService();
    List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();
    plain.getMethods().forEach(method -> methods.add(lenient(method)));
    ServiceDescriptor.Builder description =
        ServiceDescriptor.newBuilder(plain.getServiceDescriptor().getName())
            .setSchemaDescriptor(plain.getServiceDescriptor().getSchemaDescriptor());
    methods.forEach(method -> description.addMethod(method.getMethodDescriptor()));
    ServerServiceDefinition.Builder answered = ServerServiceDefinition.builder(description.build());
    methods.forEach(answered::addMethod);
    return answered.build();
  }

  private static <Q, A> ServerMethodDefinition<Q, A> lenient(ServerMethodDefinition<Q, A> method) {
    MethodDescriptor<Q, A> plain = method.getMethodDescriptor();
    MethodDescriptor<Q, A> lenient =
        plain.toBuilder(new Lenient<>(plain.getRequestMarshaller()), plain.getResponseMarshaller())
            .build();
    ServerCallHandler<Q, A> handler = method.getServerCallHandler();
    return ServerMethodDefinition.create(
        lenient, (call, headers) -> new Listener<>(call, handler.startCall(call, headers)));
  }

  /** Gives null for what is no message. */
  private record Lenient<T>(MethodDescriptor.Marshaller<T> strict)
      implements MethodDescriptor.Marshaller<T> {

    @Override
    public InputStream stream(T value) {
      return strict.stream(value);
    }

    @Override
    @SuppressWarnings("NullAway") // gRPC passes on whatever it is given, here to the listener below
    public T parse(InputStream stream) {
      try {
        return strict.parse(stream);
      } catch (StatusRuntimeException e) {
        return null;
      }
    }
  }

  private static final class Listener<Q> extends SimpleForwardingServerCallListener<Q> {
    private final ServerCall<Q, ?> call;
    private boolean refused;

    Listener(ServerCall<Q, ?> call, ServerCall.Listener<Q> next) {
      super(next);
      this.call = call;
    }

    @Override
    public void onMessage(@Nullable Q message) {
      if (message == null) {
        refused = true;
        call.close(MALFORMED, new Metadata());
      } else {
        super.onMessage(message);
      }
    }

    @Override
    public void onHalfClose() {
      if (!refused) {
        super.onHalfClose();
      }
    }
  }
}
