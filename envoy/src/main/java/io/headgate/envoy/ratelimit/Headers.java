package io.headgate.envoy.ratelimit;

import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.headgate.envoy.ratelimit.rules.LimitUnit;
import io.headgate.envoy.ratelimit.rules.RateLimit;

/**
 * Headers that Envoy itself cannot make, or not as its users had them from envoyproxy/ratelimit.
 */
final class Headers {

  /** More limits on one request than that are not told. */
  private static final int MAX_POLICIES = 10;

  private final HeaderSettings settings;

  Headers(HeaderSettings settings) {
    this.settings = settings;
  }

  void add(Answer answer, RateLimitResponse.Builder response) {
    if (settings.retryAfter() && answer.isRefused()) {
      long seconds = answer.retryAfterSeconds();
      if (seconds > 0) {
        add(response, "Retry-After", Long.toString(seconds));
      }
    }
    if (settings.draft()) {
      addDraft(answer, response);
    }
    HeaderSettings.Names three = settings.three();
    int tightest = three == null ? -1 : tightest(answer);
    if (three != null && tightest >= 0) {
      RateLimit limit = answer.plan().limit(tightest);
      add(response, three.limit(), Long.toString(limit == null ? 0 : limit.requestsPerUnit()));
      add(response, three.remaining(), Long.toString(shownRemaining(answer, tightest)));
      add(response, three.reset(), Long.toString(answer.resetSeconds(tightest)));
    }
  }

  /** All policies, and what is left under the tightest of them. */
  private static void addDraft(Answer answer, RateLimitResponse.Builder response) {
    StringBuilder policies = new StringBuilder();
    int told = 0;
    for (int i = 0; i < answer.plan().descriptors() && told < MAX_POLICIES; i++) {
      RateLimit limit = answer.plan().limit(i);
      LimitUnit unit = limit == null ? null : limit.unit();
      if (limit != null && unit != null) {
        policies.append(policies.isEmpty() ? "" : ", ");
        name(limit, policies)
            .append(";q=")
            .append(limit.requestsPerUnit())
            .append(";w=")
            .append(unit.length().toSeconds());
        told++;
      }
    }
    int tightest = tightest(answer);
    RateLimit limit = tightest < 0 ? null : answer.plan().limit(tightest);
    if (limit != null) {
      add(response, "RateLimit-Policy", policies.toString());
      StringBuilder left = new StringBuilder();
      name(limit, left)
          .append(";r=")
          .append(shownRemaining(answer, tightest))
          .append(";t=")
          .append(answer.resetSeconds(tightest));
      add(response, "RateLimit", left.toString());
    }
  }

  /** The descriptor with the least left; one that is over before all others; -1 if none counts. */
  private static int tightest(Answer answer) {
    int tightest = -1;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < answer.plan().descriptors(); i++) {
      RateLimit limit = answer.plan().limit(i);
      if (limit != null && limit.unit() != null) {
        long left = answer.isOver(i) ? -1 : answer.remaining(i);
        if (left < least) {
          least = left;
          tightest = i;
        }
      }
    }
    return tightest;
  }

  private static long shownRemaining(Answer answer, int i) {
    return answer.isOver(i) ? 0 : answer.remaining(i);
  }

  /** A string of RFC 9651, which is printable ASCII: the name of the limit, or where it stands. */
  private static StringBuilder name(RateLimit limit, StringBuilder to) {
    String name = limit.name().isEmpty() ? limit.path() : limit.name();
    to.append('"');
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '"' || c == '\\') {
        to.append('\\').append(c);
      } else {
        to.append(c >= ' ' && c <= '~' ? c : '?');
      }
    }
    return to.append('"');
  }

  private static void add(RateLimitResponse.Builder response, String name, String value) {
    response.addResponseHeadersToAdd(HeaderValue.newBuilder().setKey(name).setValue(value));
  }
}
