package io.headgate.envoy.ratelimit;

import io.headgate.keyed.redis.OutagePolicy;
import java.time.Duration;

/**
 * How the service behaves.
 *
 * @param shadow whether nothing is ever refused
 * @param quota whether all limits are quotas: a request is over only if it is over all it meets
 * @param nearLimitRatio above what part of a limit a hit counts as near it, 0 to 1
 * @param headers what headers answers bring
 * @param responseMetadata whether answers bring the descriptors and the metadata of their limits
 * @param outagePolicy what answers when what counts does not
 * @param answerWithin how long what counts may take; calls with less time than this and a quarter
 *     of it are answered by the outage policy when their time ends
 */
public record ServiceSettings(
    boolean shadow,
    boolean quota,
    double nearLimitRatio,
    HeaderSettings headers,
    boolean responseMetadata,
    OutagePolicy outagePolicy,
    Duration answerWithin) {

  /** What people get who set nothing. */
  public static final ServiceSettings DEFAULT =
      new ServiceSettings(
          false,
          false,
          0.8,
          HeaderSettings.DEFAULT,
          false,
          OutagePolicy.LOCAL,
          Duration.ofMillis(8));

  /**
   * @throws IllegalArgumentException if the ratio is out of range
   */
  public ServiceSettings {
    if (!(nearLimitRatio >= 0 && nearLimitRatio <= 1)) {
      throw new IllegalArgumentException(
          "nearLimitRatio: " + nearLimitRatio + " (expected: 0 to 1)");
    }
  }
}
