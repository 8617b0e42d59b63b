package io.headgate.configurator.run;

import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.SeriesBuilder;
import io.headgate.configurator.source.Measure;
import io.headgate.configurator.source.MetricQuery;
import io.headgate.configurator.source.MetricSource;
import io.headgate.configurator.source.SourceException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What was offered, as far back as anybody asks, by rule; and what happens while it is read. */
final class Demand implements MetricSource {

  /** Offered each second at the busiest time of a day, from noon to one; a quarter of it else. */
  private static final double USUAL_PEAK = 1000;

  private final Map<String, List<Level>> levels = new ConcurrentHashMap<>();
  private final List<String> reads = new ArrayList<>();
  private @Nullable String down;
  private Runnable meanwhile = () -> {};

  private record Level(long fromSecond, double factor) {}

  /** From a moment on a rule is asked for this many times as often as usual. */
  void level(String rule, Instant from, double factor) {
    levels
        .computeIfAbsent(rule, name -> new ArrayList<>())
        .add(new Level(from.getEpochSecond(), factor));
  }

  /** It cannot be read, for this reason; null once it can again. */
  synchronized void down(@Nullable String reason) {
    down = reason;
  }

  /** What happens once, while the next rate is read. */
  synchronized void meanwhile(Runnable task) {
    meanwhile = task;
  }

  /** The rules whose weeks were read since this was asked last, in their order. */
  synchronized List<String> reads() {
    List<String> since = List.copyOf(reads);
    reads.clear();
    return since;
  }

  @Override
  public Series read(MetricQuery query) throws SourceException {
    Runnable task;
    synchronized (this) {
      task = meanwhile;
      meanwhile = () -> {};
      boolean weeks = query.range().seconds() > Series.WEEK;
      if (weeks && query.measure() == Measure.OFFERED) {
        reads.add(query.limit().rule().name());
      }
    }
    task.run();
    synchronized (this) {
      if (down != null) {
        throw new SourceException(query.limit() + ": " + down);
      }
    }
    SeriesBuilder series = new SeriesBuilder(query.range(), query.stepSeconds());
    if (query.measure() == Measure.OFFERED) {
      List<Level> ofRule = levels.getOrDefault(query.limit().rule().name(), List.of());
      // Every half an hour is enough for steps of an hour and of half an hour.
      for (long at = query.range().fromSecond(); at < query.range().toSecond(); at += 1800) {
        series.add(at, rate(at, ofRule));
      }
    } else {
      for (long at = query.range().fromSecond(); at < query.range().toSecond(); at += 1800) {
        series.add(at, 0); // nothing is dropped, and nothing would be
      }
    }
    return series.build();
  }

  private static double rate(long second, List<Level> levels) {
    double factor = 1;
    for (Level level : levels) {
      factor = second >= level.fromSecond() ? level.factor() : factor;
    }
    long ofDay = Math.floorMod(second, (long) Series.DAY);
    boolean noon = ofDay >= Series.DAY / 2 && ofDay < Series.DAY / 2 + 3600;
    return USUAL_PEAK * factor * (noon ? 1 : 0.25);
  }
}
