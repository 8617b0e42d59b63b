package io.headgate.server.demo;

import io.headgate.server.demo.load.Trace;
import io.headgate.server.demo.load.TraceFile;
import io.headgate.server.demo.sample.SampleRules;
import io.headgate.server.terminal.UserError;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A trace and the speed to replay it at.
 *
 * @param trace when requests came
 * @param speed how much faster than recorded to replay them
 */
record TraceReplay(Trace trace, double speed) {

  private static final double MIN_PER_SECOND = 20;
  private static final double MAX_PER_SECOND = 8_000;

  /**
   * Reads a trace.
   *
   * @throws UserError if the file is no trace, or the speed makes too few or too many calls
   */
  static TraceReplay read(Path file, double speed) {
    if (!(speed > 0 && speed <= 1e9)) {
      throw UserError.usage("--speed: " + speed + " (expected: a number above 0)");
    }
    TraceReplay replay = new TraceReplay(TraceFile.read(file), speed);
    double mean = replay.callsPerSecond();
    if (mean < MIN_PER_SECOND || mean > MAX_PER_SECOND) {
      throw UserError.usage(
          String.format(
              Locale.ROOT,
              "--speed: %s makes %.1f calls a second of this trace (expected: %.0f to %.0f a second,"
                  + " that is a speed from %.0f to %.0f)",
              speed,
              mean,
              MIN_PER_SECOND,
              MAX_PER_SECOND,
              Math.ceil(MIN_PER_SECOND * speed / mean),
              Math.floor(MAX_PER_SECOND * speed / mean)));
    }
    return replay;
  }

  /** Calls a second on average. */
  double callsPerSecond() {
    return trace.meanPerSecond() * speed;
  }

  /** A main limit that the trace keeps to on average, and exceeds in its busier times. */
  double mainLimitPerSecond() {
    double all =
        SampleRules.CHARGES + SampleRules.REFUNDS + SampleRules.LOOKUPS + SampleRules.BALANCES;
    return callsPerSecond() * SampleRules.CHARGES / all;
  }
}
