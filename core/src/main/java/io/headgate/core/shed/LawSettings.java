package io.headgate.core.shed;

/**
 * How the drop law weighs evidence.
 *
 * @param jumpSigma a sample this many standard deviations away from the estimate replaces it at
 *     once; 0: every sample does, which is the plain law that Uber describes
 * @param entrySigma dropping starts once the estimate exceeds the limit by this many of its own
 *     standard deviations; 0 or more
 * @param memorySeconds over how long the estimate averages in steady demand; more is calmer and
 *     follows slow drifts later
 * @param floorShare the share of the limit that is always given out, however much of it unreachable
 *     sources take; 0 to 1
 */
public record LawSettings(
    double jumpSigma, double entrySigma, double memorySeconds, double floorShare) {

  /** The settings to use: jump at 3.5 sigma, enter at 2.5, average over 10 s, floor of a tenth. */
  public static final LawSettings DEFAULT = new LawSettings(3.5, 2.5, 10, 0.1);

  /** The published law without any estimator: drop by the latest sample. For comparison. */
  public static final LawSettings PLAIN = new LawSettings(0, 0, 10, 0.1);

  public LawSettings {
    require("jumpSigma", jumpSigma, jumpSigma >= 0 && jumpSigma <= 100, "0 to 100");
    require("entrySigma", entrySigma, entrySigma >= 0 && entrySigma <= 100, "0 to 100");
    require(
        "memorySeconds",
        memorySeconds,
        memorySeconds > 0 && memorySeconds <= 3600,
        "above 0, up to 3600");
    require("floorShare", floorShare, floorShare >= 0 && floorShare <= 1, "0 to 1");
  }

  private static void require(String name, double value, boolean fits, String expected) {
    if (!fits) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }
  }
}
