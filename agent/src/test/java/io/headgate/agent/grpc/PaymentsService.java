package io.headgate.agent.grpc;

import com.google.protobuf.StringValue;
import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A service that echoes, and remembers what came with the calls that got through to it. */
final class PaymentsService implements BindableService, ServerInterceptor {

  static final String SERVICE = "payments.v1.Payments";
  static final MethodDescriptor<StringValue, StringValue> CHARGE =
      method("Charge", MethodType.UNARY);
  static final MethodDescriptor<StringValue, StringValue> WATCH =
      method("Watch", MethodType.BIDI_STREAMING);

  final List<Metadata> headers = new CopyOnWriteArrayList<>();
  final List<Integer> criticalities = new CopyOnWriteArrayList<>();

  /** How many calls from now on fail as unavailable. */
  final AtomicInteger failures = new AtomicInteger();

  /** Runs within each call of Charge. */
  volatile @Nullable Runnable onward;

  private static MethodDescriptor<StringValue, StringValue> method(String name, MethodType type) {
    return MethodDescriptor.<StringValue, StringValue>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
        .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
        .build();
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(CHARGE, ServerCalls.asyncUnaryCall(this::charge))
        .addMethod(WATCH, ServerCalls.asyncBidiStreamingCall(responses -> responses))
        .build();
  }

  private void charge(StringValue request, StreamObserver<StringValue> response) {
    criticalities.add(
        HeadgateCriticality.CONTEXT.get() == null ? -1 : HeadgateCriticality.CONTEXT.get());
    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      response.onError(Status.UNAVAILABLE.asRuntimeException());
      return;
    }
    if (onward != null) {
      onward.run();
    }
    response.onNext(request);
    response.onCompleted();
  }

  @Override
  public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
      ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    this.headers.add(headers);
    return next.startCall(call, headers);
  }
}
