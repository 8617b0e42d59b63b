package io.headgate.agent.grpc;

import io.grpc.CallOptions;
import io.grpc.Context;
import io.headgate.agent.call.CallHeaders;
import io.headgate.core.shed.Level;
import org.jspecify.annotations.Nullable;

/**
 * How critical a call is: 0 (shed last) to 5 (shed first). Other values count as none.
 *
 * <p>{@link HeadgateServerInterceptor} puts the criticality of a call it lets in into the call's
 * context, and {@link HeadgateClientInterceptor} gives it to the calls made in that context, so
 * that a request keeps its criticality through a chain of services.
 */
public final class HeadgateCriticality {

  /** For one outgoing call; goes before {@link #CONTEXT}. */
  public static final CallOptions.Key<Integer> OPTION =
      CallOptions.Key.create("headgate-criticality");

  /** For all outgoing calls made in a context. */
  public static final Context.Key<Integer> CONTEXT = Context.key("headgate-criticality");

  private HeadgateCriticality() {}

  /** The criticality of a call about to be made, or {@link CallHeaders#NO_CRITICALITY}. */
  static int of(CallOptions options) {
    @Nullable Integer criticality = options.getOption(OPTION);
    if (criticality == null) {
      criticality = CONTEXT.get();
    }
    return criticality == null || criticality < 0 || criticality >= Level.CLASSES
        ? CallHeaders.NO_CRITICALITY
        : criticality;
  }
}
