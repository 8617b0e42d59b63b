package io.headgate.configurator.plan;

import static io.headgate.configurator.Traffic.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.configurator.Traffic;
import io.headgate.configurator.guard.Capacity;
import io.headgate.configurator.guard.GuardSettings;
import io.headgate.configurator.guard.Pin;
import io.headgate.configurator.history.Calendar;
import io.headgate.configurator.parameters.Parameters;
import io.headgate.configurator.policy.LimitPolicy;
import io.headgate.configurator.policy.Policies;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.SeriesBuilder;
import io.headgate.configurator.source.Measure;
import io.headgate.configurator.source.MetricQuery;
import io.headgate.configurator.source.MetricSource;
import io.headgate.configurator.source.SourceException;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlDocuments;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Generated traffic, and runs on it at chosen days. */
final class World implements MetricSource {

  private final Map<String, Series> offered = new HashMap<>();
  private final Map<String, Series> dropped = new HashMap<>();
  private String policy = "{ name: peak }";
  private double failoverFactor = 1;
  private Calendar calendar = Calendar.EMPTY;
  private List<Pin> pins = List.of();
  private Map<String, Capacity> capacities = Map.of();

  /** The traffic of a limit, by {@code rule} or {@code rule@place}. */
  World traffic(String limit, Series series) {
    offered.put("payments/" + limit, series);
    return this;
  }

  World dropped(String limit, Series series) {
    dropped.put("payments/" + limit, series);
    return this;
  }

  World policy(String yaml) {
    policy = yaml;
    return this;
  }

  World failover(double factor) {
    failoverFactor = factor;
    return this;
  }

  World calendar(Calendar calendar) {
    this.calendar = calendar;
    return this;
  }

  World pins(Pin... pins) {
    this.pins = List.of(pins);
    return this;
  }

  World capacity(Capacity capacity) {
    capacities = Map.of("payments", capacity);
    return this;
  }

  /** A run at the beginning of a day, on four weeks. */
  ChangeSet runAtDay(int day, Rule... rules) throws Exception {
    return run(Traffic.rules(rules), MONDAY.plus(Duration.ofDays(day)), 2);
  }

  ChangeSet run(RuleSet rules, Instant now, int threads) throws Exception {
    RuleChoice choice =
        new RuleChoice(
            NamePattern.any(),
            NamePattern.any(),
            NamePattern.any(),
            NamePattern.any(),
            policy(),
            GuardSettings.DEFAULT,
            failoverFactor);
    ConfiguratorConfig config =
        new ConfiguratorConfig(
            this,
            Duration.ofDays(28),
            Traffic.STEP,
            Duration.ofDays(1),
            false,
            calendar,
            List.of(choice),
            pins,
            capacities);
    return new LimitPlanner(config, threads).plan(rules, now, done -> {});
  }

  /** A run a day: the limit of the only rule after each. */
  List<Double> dailyRuns(int fromDay, int toDay, double limit) throws Exception {
    List<Double> limits = new ArrayList<>();
    double current = limit;
    for (int day = fromDay; day < toDay; day++) {
      ChangeSet changes = runAtDay(day, Traffic.rule("checkout", current, Map.of()));
      current = changes.decisions().get(0).after().perSecond();
      limits.add(current);
    }
    return limits;
  }

  private LimitPolicy policy() {
    Problems problems = new Problems("policy");
    byte[] yaml = policy.getBytes(StandardCharsets.UTF_8);
    LimitPolicy created =
        Policies.load()
            .create(Parameters.of(new YamlDocuments(problems).read(yaml).get(0), problems));
    assertThat(problems.inOrder()).isEmpty();
    return created;
  }

  @Override
  public Series read(MetricQuery query) throws SourceException {
    Series of =
        (query.measure() == Measure.OFFERED ? offered : dropped).get(query.limit().toString());
    SeriesBuilder series = new SeriesBuilder(query.range(), query.stepSeconds());
    if (of == null && query.measure() == Measure.OFFERED) {
      throw new SourceException("nothing of " + query.limit());
    }
    for (int i = 0; of != null && i < of.size(); i++) {
      series.add(of.second(i), of.at(i));
    }
    return series.build();
  }
}
