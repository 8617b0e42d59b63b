package io.headgate.envoy.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * What headers the service has Envoy add to responses.
 *
 * @param retryAfter whether refused requests get {@code Retry-After}, rounded up
 * @param draft whether all get {@code RateLimit} and {@code RateLimit-Policy}
 *     (draft-ietf-httpapi-ratelimit-headers-11)
 * @param three the names of three headers for the limit, what remains and the seconds until it is
 *     reset; null for none
 */
public record HeaderSettings(boolean retryAfter, boolean draft, @Nullable Names three) {

  /** {@code Retry-After} alone. */
  public static final HeaderSettings DEFAULT = new HeaderSettings(true, false, null);

  /**
   * Names of headers.
   *
   * @param limit of the limit
   * @param remaining of what remains
   * @param reset of the seconds until it is reset
   */
  public record Names(String limit, String remaining, String reset) {}
}
