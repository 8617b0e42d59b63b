package io.headgate.agent.servlet;

import io.headgate.agent.Verdict;
import java.time.Duration;

/**
 * The response fields that tell an HTTP client of a limit: {@code RateLimit-Policy} and {@code
 * RateLimit} of draft-ietf-httpapi-ratelimit-headers-11, which are lists of structured field items
 * (RFC 9651), and {@code Retry-After} (RFC 9110).
 *
 * @param policy quota {@code q} in each window of {@code w} seconds
 * @param remaining remaining quota {@code r} for the next {@code t} seconds
 * @param retryAfterSeconds whole seconds to wait, at least 1
 */
record RateLimitFields(String policy, String remaining, long retryAfterSeconds) {

  /** The greatest integer of a structured field. */
  private static final long MAX_INTEGER = 999_999_999_999_999L;

  private static final long[] WINDOWS_SECONDS = {1, 60, 3600};

  static RateLimitFields of(Verdict dropped) {
    String name = string(dropped.rule());
    long retryAfterSeconds = wholeSeconds(dropped.retryAfter());
    return new RateLimitFields(
        name + quota(dropped.limit().perSecond()),
        name + ";r=0;t=" + retryAfterSeconds,
        retryAfterSeconds);
  }

  private static long wholeSeconds(Duration duration) {
    long roundedUp = duration.getSeconds() + (duration.getNano() > 0 ? 1 : 0);
    return Math.max(1, roundedUp);
  }

  /**
   * A quota is a whole number, so a limit is told in the shortest of the usual windows that makes
   * it one; failing that rounded down in an hour, or as 1 in as long as it takes.
   */
  private static String quota(double limitPerSecond) {
    if (limitPerSecond == 0) {
      return ";q=0;w=1";
    }
    for (long window : WINDOWS_SECONDS) {
      double quota = limitPerSecond * window;
      double whole = Math.rint(quota);
      if (whole >= 1 && Math.abs(quota - whole) <= 1e-9 * whole) {
        return quota(whole, window);
      }
    }
    double perHour = Math.floor(limitPerSecond * 3600);
    return perHour >= 1 ? quota(perHour, 3600) : quota(1, Math.ceil(1 / limitPerSecond));
  }

  private static String quota(double quota, double windowSeconds) {
    return ";q=%d;w=%d".formatted((long) quota, (long) Math.min(MAX_INTEGER, windowSeconds));
  }

  /** A structured field string, which holds printable ASCII alone; other characters become '?'. */
  private static String string(String text) {
    StringBuilder field = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        field.append('\\');
      }
      field.append(c < ' ' || c > '~' ? '?' : c);
    }
    return field.append('"').toString();
  }
}
