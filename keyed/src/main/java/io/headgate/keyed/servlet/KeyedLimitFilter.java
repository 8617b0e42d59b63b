package io.headgate.keyed.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.KeyedLimiter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Limits HTTP requests by key. A request meets all policies that match it, all or nothing.
 *
 * <p>One that is over is answered with status 429, {@code Retry-After} and a JSON problem (RFC
 * 9457). It and all that pass carry {@code RateLimit-Policy} and {@code RateLimit} (draft 11 of the
 * IETF's rate limit fields) of the limit that decided, unless that is in shadow.
 *
 * <p>With a limiter over the network the thread of the request waits for its answer, at most for
 * the limiter's timeout.
 */
public final class KeyedLimitFilter implements Filter {

  private static final int TOO_MANY_REQUESTS = 429;

  private final KeyedLimiter limiter;
  private final List<RequestPolicy> policies;
  private final LongSupplier nanoClock;

  private KeyedLimitFilter(
      KeyedLimiter limiter, List<RequestPolicy> policies, LongSupplier nanoClock) {
    this.limiter = limiter;
    this.policies = List.copyOf(policies);
    this.nanoClock = nanoClock;
    policies.forEach(policy -> limiter.require(policy.limit()));
  }

  /**
   * A filter.
   *
   * @throws IllegalArgumentException if the limiter cannot count one of the limits
   */
  public static KeyedLimitFilter of(KeyedLimiter limiter, List<RequestPolicy> policies) {
    return of(limiter, policies, System::nanoTime);
  }

  /**
   * A filter for a limiter with a clock of its own.
   *
   * @param nanoClock the clock of the limiter
   * @throws IllegalArgumentException if the limiter cannot count one of the limits
   */
  public static KeyedLimitFilter of(
      KeyedLimiter limiter, List<RequestPolicy> policies, LongSupplier nanoClock) {
    return new KeyedLimitFilter(limiter, policies, nanoClock);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request.getDispatcherType() == DispatcherType.REQUEST
        && request instanceof HttpServletRequest httpRequest
        && response instanceof HttpServletResponse httpResponse
        && !goesOn(httpRequest, httpResponse)) {
      return;
    }
    chain.doFilter(request, response);
  }

  private boolean goesOn(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    List<Hit> hits = hits(request);
    if (hits.isEmpty()) {
      return true;
    }
    KeyedDecision decision = limiter.check(hits).toCompletableFuture().join();
    if (!decision.decidedBy().shadow()) {
      LimitFields fields = LimitFields.of(decision, nanoClock.getAsLong());
      response.setHeader("RateLimit-Policy", fields.policy());
      response.setHeader("RateLimit", fields.remaining());
    }
    if (!decision.allowed()) {
      refuse(response, decision);
    }
    return decision.allowed();
  }

  private List<Hit> hits(HttpServletRequest request) {
    String path = request.getServletPath();
    if (request.getPathInfo() != null) {
      path += request.getPathInfo();
    }
    List<Hit> hits = new ArrayList<>(2);
    for (RequestPolicy policy : policies) {
      if (policy.matches(request.getMethod(), path)) {
        hits.add(Hit.of(policy.limit(), policy.keyOf(request)));
      }
    }
    return hits;
  }

  private static void refuse(HttpServletResponse response, KeyedDecision decision)
      throws IOException {
    byte[] body = LimitFields.problem(decision).getBytes(UTF_8);
    response.setStatus(TOO_MANY_REQUESTS);
    if (!decision.decision().isHopeless()) {
      response.setHeader("Retry-After", Long.toString(decision.decision().retryAfterSeconds()));
    }
    response.setContentType("application/problem+json");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
