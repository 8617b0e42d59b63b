package io.headgate.agent.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.Verdict;
import io.headgate.agent.call.CallHeaders;

/**
 * Judges the calls that this process makes to another service (egress), by the rules of that
 * service. The caller is the agent's own service, the procedure the full name of the method, such
 * as {@code payments.v1.Payments/Charge}.
 *
 * <p>A dropped call fails at once with {@code RESOURCE_EXHAUSTED}, and never comes to the channel:
 * no network is touched, and no retry policy sees it. Its trailers carry {@code
 * google.rpc.RetryInfo} and {@code google.rpc.QuotaFailure}. Calls that gRPC itself repeats by a
 * retry policy are judged once, before the first attempt.
 *
 * <p>Calls that pass tell the other side who calls ({@value CallHeaders#CALLER}) and, where it is
 * set by {@link HeadgateCriticality}, how critical they are ({@value CallHeaders#CRITICALITY}).
 */
public final class HeadgateClientInterceptor implements ClientInterceptor {

  private final String caller;
  private final MethodGates gates;

  private HeadgateClientInterceptor(String caller, MethodGates gates) {
    this.caller = caller;
    this.gates = gates;
  }

  /**
   * An interceptor for channels to one service.
   *
   * @param service the name of the service called, as its rules have it
   */
  public static HeadgateClientInterceptor of(HeadgateAgent agent, String service) {
    String caller = agent.service();
    return new HeadgateClientInterceptor(
        caller, new MethodGates(procedure -> agent.gate(service, caller, procedure)));
  }

  @Override
  public <ReqT, RespT> ClientCall<ReqT, RespT> interceptCall(
      MethodDescriptor<ReqT, RespT> method, CallOptions options, Channel next) {
    int criticality = HeadgateCriticality.of(options);
    Verdict verdict = gates.of(method).judge(criticality, false);
    if (!verdict.admitted()) {
      return new DroppedCall<>(DroppedStatus.of(verdict), options.getExecutor());
    }
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<RespT> listener, Metadata headers) {
        replace(headers, CallMetadata.CALLER, caller);
        if (criticality != CallHeaders.NO_CRITICALITY) {
          replace(headers, CallMetadata.CRITICALITY, Integer.toString(criticality));
        }
        super.start(listener, headers);
      }
    };
  }

  private static void replace(Metadata headers, Metadata.Key<String> key, String value) {
    headers.discardAll(key);
    headers.put(key, value);
  }
}
