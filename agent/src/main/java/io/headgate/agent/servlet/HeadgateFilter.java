package io.headgate.agent.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.Verdict;
import io.headgate.agent.call.CallHeaders;
import io.headgate.agent.call.CallerIdentity;
import io.headgate.agent.call.SpiffeId;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.cert.X509Certificate;

/**
 * Judges the HTTP requests that come in to this process (ingress), by the rules of its own service.
 *
 * <p>A dropped request is answered with status 429, {@code Retry-After}, {@code RateLimit-Policy},
 * {@code RateLimit} and a JSON problem (RFC 9457) before a servlet sees it. The response of a
 * request that passes is left alone.
 *
 * <p>A request is judged once, when it comes in; forwards, includes, error pages and asynchronous
 * dispatches of it pass. The filter never waits, and supports asynchronous requests; its
 * registration has to say so where the application uses them.
 */
public final class HeadgateFilter implements Filter {

  private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";
  private static final int TOO_MANY_REQUESTS = 429;

  private final HeadgateAgent agent;
  private final CallerIdentity identity;
  private final ProcedureNames procedures;

  private HeadgateFilter(HeadgateAgent agent, CallerIdentity identity, ProcedureNames procedures) {
    this.agent = agent;
    this.identity = identity;
    this.procedures = procedures;
  }

  /**
   * A filter that knows callers by certificate, or else by header, and procedures by {@linkplain
   * ProcedureNames#methodAndPath() method and path}.
   */
  public static HeadgateFilter of(HeadgateAgent agent) {
    return of(agent, CallerIdentity.certificateOrHeader(), ProcedureNames.methodAndPath());
  }

  /**
   * A filter.
   *
   * @param identity how callers are known
   * @param procedures how procedures are named
   */
  public static HeadgateFilter of(
      HeadgateAgent agent, CallerIdentity identity, ProcedureNames procedures) {
    return new HeadgateFilter(agent, identity, procedures);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request.getDispatcherType() == DispatcherType.REQUEST
        && request instanceof HttpServletRequest httpRequest
        && response instanceof HttpServletResponse httpResponse) {
      Verdict verdict = judge(httpRequest);
      if (!verdict.admitted()) {
        refuse(httpResponse, verdict);
        return;
      }
    }
    chain.doFilter(request, response);
  }

  private Verdict judge(HttpServletRequest request) {
    boolean retry =
        CallHeaders.isRetry(
            request.getHeader(CallHeaders.GRPC_PREVIOUS_ATTEMPTS),
            request.getHeader(CallHeaders.ENVOY_ATTEMPT));
    return agent
        .gate(caller(request), procedures.procedure(request))
        .judge(CallHeaders.criticality(request.getHeader(CallHeaders.CRITICALITY)), retry);
  }

  private String caller(HttpServletRequest request) {
    return request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain && chain.length > 0
        ? identity.ofCertificate(SpiffeId.of(chain[0]))
        : identity.ofHeader(request.getHeader(CallHeaders.CALLER));
  }

  private static void refuse(HttpServletResponse response, Verdict verdict) throws IOException {
    RateLimitFields fields = RateLimitFields.of(verdict);
    byte[] body = Problem.json(verdict, fields.retryAfterSeconds()).getBytes(UTF_8);
    response.setStatus(TOO_MANY_REQUESTS);
    response.setHeader("Retry-After", Long.toString(fields.retryAfterSeconds()));
    response.setHeader("RateLimit-Policy", fields.policy());
    response.setHeader("RateLimit", fields.remaining());
    response.setContentType(Problem.MEDIA_TYPE);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
