package io.headgate.agent.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.Verdict;
import io.headgate.agent.call.CallHeaders;
import io.headgate.agent.call.CallerIdentity;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Judges the calls that come in to this process (ingress), by the rules of its own service. The
 * procedure is the full name of the method, such as {@code payments.v1.Payments/Charge}.
 *
 * <p>A dropped call is closed with {@code RESOURCE_EXHAUSTED} before the service sees it. The
 * trailers carry {@code google.rpc.RetryInfo} and {@code google.rpc.QuotaFailure}, and tell gRPC
 * clients not to retry by themselves.
 */
public final class HeadgateServerInterceptor implements ServerInterceptor {

  private final HeadgateAgent agent;
  private final CallerIdentity identity;

  private HeadgateServerInterceptor(HeadgateAgent agent, CallerIdentity identity) {
    this.agent = agent;
    this.identity = identity;
  }

  /** An interceptor that knows callers by certificate, or else by header. */
  public static HeadgateServerInterceptor of(HeadgateAgent agent) {
    return of(agent, CallerIdentity.certificateOrHeader());
  }

  /**
   * An interceptor.
   *
   * @param identity how callers are known
   */
  public static HeadgateServerInterceptor of(HeadgateAgent agent, CallerIdentity identity) {
    return new HeadgateServerInterceptor(agent, identity);
  }

  @Override
  public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
      ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    int criticality = CallHeaders.criticality(headers.get(CallMetadata.CRITICALITY));
    boolean retry =
        CallHeaders.isRetry(
            headers.get(CallMetadata.GRPC_PREVIOUS_ATTEMPTS),
            headers.get(CallMetadata.ENVOY_ATTEMPT));
    Verdict verdict =
        agent
            .gate(caller(call, headers), call.getMethodDescriptor().getFullMethodName())
            .judge(criticality, retry);
    if (!verdict.admitted()) {
      DroppedStatus dropped = DroppedStatus.refusingRetry(verdict);
      call.close(dropped.status(), dropped.trailers());
      return new ServerCall.Listener<>() {};
    }
    if (criticality == CallHeaders.NO_CRITICALITY) {
      return next.startCall(call, headers);
    }
    Context context = Context.current().withValue(HeadgateCriticality.CONTEXT, criticality);
    return Contexts.interceptCall(context, call, headers, next);
  }

  private String caller(ServerCall<?, ?> call, Metadata headers) {
    @Nullable SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    if (session != null) {
      PeerCertificate certificate = PeerCertificate.of(session);
      if (certificate.present()) {
        return identity.ofCertificate(certificate.spiffeId());
      }
    }
    return identity.ofHeader(headers.get(CallMetadata.CALLER));
  }
}
