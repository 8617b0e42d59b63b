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
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits HTTP requests by key. A request meets all policies that match it, all or nothing.
 *
 * <p>One that is over is answered with status 429, {@code Retry-After} and a JSON problem (RFC
 * 9457). It and all that pass carry {@code RateLimit-Policy} and {@code RateLimit} (draft 11 of the
 * IETF's rate limit fields) of the limit that decided, unless that is in shadow.
 *
 * <p>With a limiter over the network the thread of the request waits for its answer: at most for
 * the limiter's timeout, and never longer than this filter's longest wait, after which the request
 * goes on unlimited.
 */
public final class KeyedLimitFilter implements Filter {

  /*
   * Why the thread waits and the request is not suspended: a suspended one is dispatched anew, and that
   * passes over all filters and servlets that are registered for plain requests only, among which may
   * be those that secure the application. The wait is short and ends for certain.
   */

  private static final System.Logger LOG = System.getLogger(KeyedLimitFilter.class.getName());
  private static final int TOO_MANY_REQUESTS = 429;
  private static final Duration DEFAULT_LONGEST_WAIT = Duration.ofSeconds(1);

  private final KeyedLimiter limiter;
  private final List<RequestPolicy> policies;
  private final LongSupplier nanoClock;
  private final Duration longestWait;
  private final AtomicBoolean late = new AtomicBoolean();

  private KeyedLimitFilter(
      KeyedLimiter limiter,
      List<RequestPolicy> policies,
      LongSupplier nanoClock,
      Duration longestWait) {
    this.limiter = limiter;
    this.policies = List.copyOf(policies);
    this.nanoClock = nanoClock;
    this.longestWait = longestWait;
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
    return new KeyedLimitFilter(limiter, policies, nanoClock, DEFAULT_LONGEST_WAIT);
  }

  /**
   * The same filter with another longest wait for the limiter; a second by default.
   *
   * @throws IllegalArgumentException if it is not above 0
   */
  public KeyedLimitFilter waitingAtMost(Duration wait) {
    if (wait.isNegative() || wait.isZero()) {
      throw new IllegalArgumentException("longest wait: " + wait + " (expected: above 0)");
    }
    return new KeyedLimitFilter(limiter, policies, nanoClock, wait);
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
      throws IOException, ServletException {
    List<Hit> hits = hits(request);
    if (hits.isEmpty()) {
      return true;
    }
    KeyedDecision decision = decision(hits);
    if (decision == null) {
      return true;
    }
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

  /** The decision, or null if it does not come in time. */
  private @Nullable KeyedDecision decision(List<Hit> hits) throws ServletException {
    CompletableFuture<KeyedDecision> asked = limiter.check(hits).toCompletableFuture();
    try {
      KeyedDecision decision = asked.get(longestWait.toNanos(), TimeUnit.NANOSECONDS);
      if (late.get()) {
        late.set(false);
      }
      return decision;
    } catch (TimeoutException e) {
      if (late.compareAndSet(false, true)) {
        LOG.log(Level.WARNING, "no decision in " + longestWait + ": requests go on unlimited");
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (ExecutionException e) {
      throw new ServletException("the limiter failed", e.getCause());
    }
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
