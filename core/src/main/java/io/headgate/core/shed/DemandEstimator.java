package io.headgate.core.shed;

/**
 * Estimates a rate from noisy samples of it: takes a sample as it is when it differs by more than
 * noise explains, and averages otherwise.
 *
 * <p>A plain exponential average is wrong for both jobs: small enough to be calm it takes tens of
 * seconds to see a sixteenfold step, because the accept ratio is the limit over the estimate and so
 * hyperbolic in it. This one is a scalar Kalman filter with a gate: in steady demand its variance
 * shrinks as samples come, down to that of an average over {@link LawSettings#memorySeconds}; a
 * sample outside the gate starts it anew if it is far off, and so do samples that keep to one side
 * of it, as they do when demand drifts or has moved a little. The variance of real traffic is
 * larger than that of a Poisson process, so the ratio of the two (the Fano factor) is learned from
 * how samples differ from the ones before them, in which a drift does not show.
 */
final class DemandEstimator {

  private static final double FANO_MAX = 64;

  /** The weight of one independent sample in the learned Fano factor. */
  private static final double FANO_GAIN = 0.05;

  /**
   * A residual counts at most as this many variances, so that one step of demand does not pass for
   * burstiness.
   */
  private static final double FANO_RESIDUAL_MAX = 25;

  /**
   * A sample outside the gate that is off by less than this share waits for one more on its side:
   * traffic has hiccups of some percent that no variance of counts explains, and to enforce a small
   * step a little later costs little.
   */
  private static final double SMALL_STEP = 0.1;

  /**
   * Of millions of samples some are far off by chance. For this long after a jump, a sample that
   * fits better to what was before takes it back.
   */
  private static final double DOUBT_SECONDS = 1;

  /**
   * For this long after a jump the step may still be arriving: clients report at different moments,
   * and averages over up to a second, so that the first samples are of a time before it in part.
   */
  private static final double SETTLING_SECONDS = 2;

  /**
   * What the estimate is worth against a sample meanwhile, as its variance in those of a sample:
   * with 4, a sample over a second has four fifths of the weight. Without this the first, partial
   * samples of a step are averaged over {@link LawSettings#memorySeconds}, and the limit is
   * exceeded by some percent for as long. It makes neither the gate nor the margins wider before
   * the step has arrived.
   */
  private static final double SETTLING = 4;

  /** The weight of one independent sample in the mean residual, by which a drift is found. */
  private static final double DRIFT_GAIN = 0.3;

  /** The standard deviation of that mean, in those of one residual, while there is no drift. */
  private static final double DRIFT_SIGMA = Math.sqrt(DRIFT_GAIN / (2 - DRIFT_GAIN));

  private double rate = Double.NaN;
  private double variance;
  private double fano = 1;
  private double lastSample;
  private double meanResidual;

  /** What the estimate was before it jumped, as long as that may have been by chance. */
  private double rateBefore;

  private double varianceBefore;
  private double doubtSeconds;

  /** How long the step that made the estimate jump may still be arriving. */
  private double settlingSeconds;

  /** The variance of the estimate, were it to say meanwhile how much the last samples moved it. */
  private double settledVariance;

  /** The estimated rate per second; not a number before the first sample. */
  double rate() {
    return rate;
  }

  /** The standard deviation of {@link #rate()}. */
  double sigma() {
    return Math.sqrt(variance);
  }

  /**
   * Takes a sample.
   *
   * @param sample the rate per second, an average over some window
   * @param poissonVariance the variance that the sample would have were the requests a Poisson
   *     process: the rate over the window, or the sum of that over its parts
   * @param sinceLastSeconds how long ago the sample before was taken; samples closer together than
   *     their window share most of their evidence, and weigh less
   */
  void update(
      double sample, double poissonVariance, double sinceLastSeconds, LawSettings settings) {
    // A bucket that goes from nothing to one request must not be infinitely significant.
    double noise = Math.max(poissonVariance, 1e-9);
    if (Double.isNaN(rate) || settings.jumpSigma() == 0) {
      restart(sample, fano * noise);
      lastSample = sample;
      return;
    }
    // Were demand as it was, the sample would rest on this long a time.
    double window = windowSeconds(Math.max(sample, rate), noise);
    double fresh = Math.min(1, sinceLastSeconds / window);
    double expectedNoise = Math.max(noise, rate / window);
    double change = sample - lastSample;
    lastSample = sample;
    if (fresh > 0) {
      learnFano(change * change / (2 * expectedNoise * fresh), fresh);
    }
    double measured = fano * expectedNoise;
    doubtSeconds -= sinceLastSeconds;
    settle(sinceLastSeconds);
    if (doubtSeconds > 0 && fitsBetterToBefore(sample, measured)) {
      rate = rateBefore;
      variance = varianceBefore;
      doubtSeconds = 0;
      settlingSeconds = 0;
    }
    double sigma = Math.sqrt(measured + variance);
    double residual = (sample - rate) / sigma;
    double most = settings.jumpSigma();
    double clipped = Math.max(-most, Math.min(most, residual));
    meanResidual += DRIFT_GAIN * fresh * (clipped - meanResidual);
    boolean jumps = clipped != residual && Math.abs(sample - rate) > SMALL_STEP * rate;
    if (jumps || Math.abs(meanResidual) > most * DRIFT_SIGMA) {
      rateBefore = rate;
      varianceBefore = variance;
      doubtSeconds = DOUBT_SECONDS;
      settlingSeconds = SETTLING_SECONDS;
      restart(sample, measured);
    } else if (fresh > 0) {
      double prior = settlingSeconds > 0 ? Math.max(variance, SETTLING * measured) : variance;
      double gain = prior / (prior + measured / fresh);
      settledVariance = prior * (1 - gain);
      rate += gain * clipped * sigma;
      // An average that forgets over the memory m of a signal with spectral density s has the
      // variance s / 2m.
      double steady = measured * window / (window + 2 * settings.memorySeconds());
      variance = Math.max(Math.min(variance, prior * (1 - gain)), steady);
    }
  }

  /** Once a step has arrived, the estimate is worth what the samples were that it followed. */
  private void settle(double sinceLastSeconds) {
    boolean arriving = settlingSeconds > 0;
    settlingSeconds -= sinceLastSeconds;
    if (arriving && settlingSeconds <= 0) {
      variance = Math.max(variance, settledVariance);
    }
  }

  private boolean fitsBetterToBefore(double sample, double sampleVariance) {
    double fromBefore = Math.abs(sample - rateBefore) / Math.sqrt(sampleVariance + varianceBefore);
    double fromNow = Math.abs(sample - rate) / Math.sqrt(sampleVariance + variance);
    return fromBefore < fromNow;
  }

  private void restart(double sample, double sampleVariance) {
    rate = sample;
    variance = sampleVariance;
    settledVariance = sampleVariance;
    meanResidual = 0;
  }

  private void learnFano(double ratio, double fresh) {
    fano += FANO_GAIN * fresh * (Math.min(ratio, FANO_RESIDUAL_MAX) - fano);
    fano = Math.min(FANO_MAX, Math.max(1, fano));
  }

  private static double windowSeconds(double sample, double poissonVariance) {
    return sample > 0 ? Math.min(10, Math.max(0.01, sample / poissonVariance)) : 1;
  }
}
