package io.headgate.configurator.trigger;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/** Moments by a cron expression of five fields, in UTC. */
public final class CronSchedule {

  private static final CronParser PARSER =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

  private final String expression;
  private final ExecutionTime times;

  private CronSchedule(String expression, ExecutionTime times) {
    this.expression = expression;
    this.times = times;
  }

  /**
   * The moments of an expression: minute, hour, day of month, month, day of week.
   *
   * @throws IllegalArgumentException if it is no such expression, or has no moments
   */
  public static CronSchedule parse(String expression) {
    CronSchedule schedule =
        new CronSchedule(expression, ExecutionTime.forCron(PARSER.parse(expression)));
    if (schedule.next(Instant.EPOCH).equals(Instant.MAX)) {
      throw new IllegalArgumentException("it has no moments");
    }
    return schedule;
  }

  /** The first moment after another one. */
  public Instant next(Instant after) {
    return times
        .nextExecution(after.atZone(ZoneOffset.UTC))
        .map(ZonedDateTime::toInstant)
        .orElse(Instant.MAX);
  }

  /** The expression. */
  @Override
  public String toString() {
    return expression;
  }
}
