package io.headgate.configurator.plan;

import io.headgate.configurator.guard.Capacity;
import io.headgate.configurator.guard.Pin;
import io.headgate.configurator.history.Calendar;
import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.source.MetricSource;
import io.headgate.configurator.trigger.RunTriggers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What people have said about how limits are computed.
 *
 * @param source where rates come from
 * @param history how much of the past is read, whole days
 * @param stepSeconds in steps of this
 * @param runEvery how long a limit has to hold
 * @param learnFromThrottled whether time in which a rule dropped calls says what demand is
 * @param calendar what people know of the past and the future
 * @param choices how the limits of which rules are computed; of several that are about a rule the
 *     first counts, and a rule without one is left alone
 * @param pins limits that are set by hand
 * @param capacities what services can bear, by service
 * @param newRules rules that should be there
 * @param triggers when a service does it by itself
 */
public record ConfiguratorConfig(
    MetricSource source,
    Duration history,
    int stepSeconds,
    Duration runEvery,
    boolean learnFromThrottled,
    Calendar calendar,
    List<RuleChoice> choices,
    List<Pin> pins,
    Map<String, Capacity> capacities,
    List<NewRule> newRules,
    RunTriggers triggers) {

  public ConfiguratorConfig {
    choices = List.copyOf(choices);
    pins = List.copyOf(pins);
    capacities = Map.copyOf(capacities);
    newRules = List.copyOf(newRules);
  }

  /** Without rules that should be there, and with the usual reasons to compute limits. */
  public ConfiguratorConfig(
      MetricSource source,
      Duration history,
      int stepSeconds,
      Duration runEvery,
      boolean learnFromThrottled,
      Calendar calendar,
      List<RuleChoice> choices,
      List<Pin> pins,
      Map<String, Capacity> capacities) {
    this(
        source,
        history,
        stepSeconds,
        runEvery,
        learnFromThrottled,
        calendar,
        choices,
        pins,
        capacities,
        List.of(),
        RunTriggers.DEFAULT);
  }

  /** How a limit is computed, or null if it is not. */
  public @Nullable RuleChoice choice(LimitKey limit) {
    return choices.stream().filter(choice -> choice.isAbout(limit)).findFirst().orElse(null);
  }

  /**
   * Whether the limit follows from the past. If not, people have set it, or nobody has asked for
   * one, or its past is not known.
   */
  public boolean learns(LimitKey limit, Instant now) {
    RuleChoice choice = choice(limit);
    boolean single = !limit.rule().perCaller() && !limit.rule().perProcedure();
    return choice != null
        && choice.policy().needsHistory()
        && (single || source.knowsSingleBuckets())
        && limit.current().perSecond() > 0
        && pins.stream().noneMatch(pin -> pin.holds(limit, now));
  }
}
