package io.headgate.server.demo.sample;

import com.google.protobuf.Int64Value;
import com.google.protobuf.StringValue;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;

/** The interface of the sample service. */
public final class Payments {

  /** Its name, as its rules have it. */
  public static final String SERVICE = "payments";

  /** Prefix of its gRPC procedures. */
  public static final String GRPC_SERVICE = "payments.v1.Payments";

  /** Takes money: an amount in cents for a payment's id. */
  public static final MethodDescriptor<Int64Value, StringValue> CHARGE = method("Charge");

  /** Gives money back: an amount in cents for a refund's id. */
  public static final MethodDescriptor<Int64Value, StringValue> REFUND = method("Refund");

  /** Finds a payment: its number for its id. */
  public static final MethodDescriptor<Int64Value, StringValue> LOOKUP = method("Lookup");

  /** The path of the procedure that is HTTP. */
  public static final String BALANCE_PATH = "/v1/balance";

  /** That procedure's name, as rules have it. */
  public static final String BALANCE = "GET " + BALANCE_PATH;

  private Payments() {}

  private static MethodDescriptor<Int64Value, StringValue> method(String name) {
    return MethodDescriptor.<Int64Value, StringValue>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(GRPC_SERVICE, name))
        .setRequestMarshaller(ProtoUtils.marshaller(Int64Value.getDefaultInstance()))
        .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
        .build();
  }
}
