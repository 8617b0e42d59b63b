package io.headgate.configurator.trigger;

import io.headgate.configurator.parameters.Parameters;
import io.headgate.control.yaml.Choice;
import java.time.Duration;

/**
 * When a service computes limits by itself, and what it writes. A change of the rules is always a
 * reason.
 *
 * @param schedule when it computes all of them
 * @param drift when those are computed that demand has gone away from
 * @param trialsEvery how often it looks at limits on trial; zero for never
 * @param enforce whether it writes limits, and not candidates for these
 */
public record RunTriggers(
    CronSchedule schedule, DriftSettings drift, Duration trialsEvery, boolean enforce) {

  /** Every night, as candidates. */
  public static final RunTriggers DEFAULT =
      new RunTriggers(
          CronSchedule.parse("30 2 * * *"), DriftSettings.DEFAULT, Duration.ofMinutes(5), false);

  private static final Choice YES_OR_NO = new Choice("true", "false");

  /** What somebody has set, with these for the rest. */
  public RunTriggers with(Parameters parameters) {
    Parameters drift = parameters.mapping("drift");
    return new RunTriggers(
        parameters.has("schedule") ? schedule(parameters) : schedule,
        drift == null ? this.drift : this.drift.with(drift),
        parameters.duration("promoteEvery", trialsEvery),
        parameters.word("enforce", YES_OR_NO, String.valueOf(enforce)).equals("true"));
  }

  private CronSchedule schedule(Parameters parameters) {
    String text = parameters.text("schedule");
    try {
      return text.isEmpty() ? schedule : CronSchedule.parse(text);
    } catch (IllegalArgumentException e) {
      parameters.problem(
          "schedule",
          "schedule: found '%s' (expected: minute, hour, day of month, month, day of week, such as"
                  .formatted(text)
              + " '30 2 * * *'): "
              + e.getMessage());
      return schedule;
    }
  }
}
