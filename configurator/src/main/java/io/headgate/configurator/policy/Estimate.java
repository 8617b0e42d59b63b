package io.headgate.configurator.policy;

/**
 * What a policy holds to be the right limit.
 *
 * @param perSecond the limit, requests per second
 * @param agreed whether people have agreed on it, so that it holds whatever traffic is, at once
 * @param reason how it came about, for people; without a full stop
 */
public record Estimate(double perSecond, boolean agreed, String reason) {

  /**
   * @throws IllegalArgumentException if the limit is no rate
   */
  public Estimate {
    if (!(perSecond >= 0 && perSecond <= 1e12)) {
      throw new IllegalArgumentException(
          "limit: " + perSecond + " (expected: 0 to 1e12 a second); " + reason);
    }
  }

  /** A limit that follows from traffic. */
  public static Estimate learned(double perSecond, String reason) {
    return new Estimate(perSecond, false, reason);
  }
}
