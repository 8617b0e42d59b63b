package io.headgate.server.demo.load;

/**
 * The load of a day, compressed: low at night, a rise in the morning, a peak in the evening and, at
 * noon, a short spike such as a sale or a retry storm makes.
 *
 * @param daySeconds how long the day takes
 * @param trough the factor in the deepest night
 * @param peak the factor at the highest hour, without the spike
 * @param spike what the spike adds at its top
 * @param phaseDays how much later than elsewhere the day begins here, from 0 to 1 day
 */
public record DayCurve(
    double daySeconds, double trough, double peak, double spike, double phaseDays)
    implements LoadProfile {

  /** When in the day the night is deepest. */
  private static final double NIGHT = 0.125;

  private static final double SPIKE_BEGIN = 0.5;
  private static final double SPIKE_END = 0.6;

  public DayCurve {
    if (!(daySeconds > 0)) {
      throw new IllegalArgumentException("daySeconds: " + daySeconds + " (expected: above 0)");
    }
  }

  @Override
  public double factor(double elapsedSeconds) {
    double days = elapsedSeconds / daySeconds;
    double local = days - phaseDays;
    double height = (1 - Math.cos(2 * Math.PI * (local - NIGHT))) / 2;
    return trough + (peak - trough) * height + spikeAt(days - Math.floor(days));
  }

  /** The spike comes everywhere at once: it is one event, not a habit of people. */
  private double spikeAt(double timeOfDay) {
    return timeOfDay >= SPIKE_BEGIN && timeOfDay < SPIKE_END ? spike : 0;
  }
}
