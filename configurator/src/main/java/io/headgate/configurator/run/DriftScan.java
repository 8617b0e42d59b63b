package io.headgate.configurator.run;

import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.configurator.plan.LimitPlanner;
import io.headgate.configurator.plan.LimitTasks;
import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.TimeRange;
import io.headgate.configurator.source.Measure;
import io.headgate.configurator.source.MetricQuery;
import io.headgate.configurator.source.SourceException;
import io.headgate.configurator.trigger.DriftCheck;
import io.headgate.core.rule.RuleSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Looks for limits that demand has gone away from. */
final class DriftScan {

  private final ConfiguratorConfig config;
  private final int threads;

  DriftScan(ConfiguratorConfig config, int threads) {
    this.config = config;
    this.threads = threads;
  }

  private record Day(LimitKey limit, Series rates) {}

  /**
   * The limits that demand has gone away from, by name, with what has changed.
   *
   * @param now the moment; the day before it is looked at
   */
  SortedMap<String, String> drifted(RuleSet rules, Instant now)
      throws SourceException, InterruptedException {
    List<LimitKey> limits =
        LimitPlanner.limits(rules).stream().filter(limit -> config.learns(limit, now)).toList();
    long end = now.getEpochSecond() - now.getEpochSecond() % config.stepSeconds();
    // One time after the other, since a source may know what all limits have in common at a time.
    List<Day> days = days(limits, end);
    List<Day> before = days(limits, end - Series.WEEK);
    SortedMap<String, String> drifted = new TreeMap<>();
    for (int i = 0; i < days.size(); i++) {
      LimitKey limit = days.get(i).limit();
      String drift =
          DriftCheck.find(
              days.get(i).rates(),
              before.get(i).rates(),
              limit.current().perSecond(),
              config.triggers().drift());
      if (drift != null) {
        drifted.put(limit.toString(), drift);
      }
    }
    return drifted;
  }

  private List<Day> days(List<LimitKey> limits, long end)
      throws SourceException, InterruptedException {
    TimeRange day = new TimeRange(end - Series.DAY, end);
    LimitTasks.Task<Day> read =
        limit ->
            new Day(
                limit,
                config
                    .source()
                    .read(new MetricQuery(limit, Measure.OFFERED, day, DriftCheck.STEP_SECONDS)));
    return new ArrayList<>(new LimitTasks(threads).results(limits, read, done -> {}));
  }
}
