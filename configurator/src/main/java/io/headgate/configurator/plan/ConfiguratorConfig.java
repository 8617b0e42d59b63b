package io.headgate.configurator.plan;

import io.headgate.configurator.guard.Capacity;
import io.headgate.configurator.guard.Pin;
import io.headgate.configurator.history.Calendar;
import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.source.MetricSource;
import java.time.Duration;
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
    List<NewRule> newRules) {

  public ConfiguratorConfig {
    choices = List.copyOf(choices);
    pins = List.copyOf(pins);
    capacities = Map.copyOf(capacities);
    newRules = List.copyOf(newRules);
  }

  /** Without rules that should be there. */
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
        List.of());
  }

  /** How a limit is computed, or null if it is not. */
  public @Nullable RuleChoice choice(LimitKey limit) {
    return choices.stream().filter(choice -> choice.isAbout(limit)).findFirst().orElse(null);
  }
}
