package io.headgate.configurator.run;

import io.headgate.configurator.promotion.Promotions;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How far a runner is: for the log, metrics and the status. Safe for use by several threads. */
final class RunProgress {

  private static final Logger log = LoggerFactory.getLogger(RunProgress.class);

  /** A line in the log is enough as often as this. */
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);

  private final String id;
  private final RunMetrics metrics;
  private final InstantSource clock;
  private @Nullable RunCause running;
  private Instant began = Instant.EPOCH;
  private Instant said = Instant.EPOCH;
  private double done;
  private String holder = "";
  private @Nullable RunReport last;
  private String next = "";
  private int failures;
  private String failure = "";
  private int drifted;
  private int configProblems;
  private volatile long lastFullRunSecond; // whoever made it

  RunProgress(String id, MeterRegistry registry, InstantSource clock) {
    this.id = id;
    this.clock = clock;
    metrics = new RunMetrics(registry, id);
    metrics.gauge("running", () -> status().running().isEmpty() ? 0 : 1);
    metrics.gauge("progress", () -> status().progress());
    metrics.gauge("failures", () -> status().failures());
    metrics.gauge("last.full.run.seconds", () -> lastFullRunSecond);
    metrics.gauge("drifted", () -> status().drifted());
    metrics.gauge("config.problems", () -> status().configProblems());
  }

  /**
   * What a run was about.
   *
   * @param limits how many limits
   * @param changes how many of them change
   * @param kept how many stayed because their past would not do
   * @param masked of how many a part of the past was left out
   * @param approvals how many would have gone farther with approval
   */
  record Counts(int limits, int changes, int kept, int masked, int approvals) {}

  synchronized void configured(int problems) {
    configProblems = problems;
  }

  synchronized void waiting(String holder) {
    if (!holder.equals(this.holder) && !holder.isEmpty()) {
      log.info("'{}' computes limits", holder);
    }
    this.holder = holder;
  }

  synchronized void begins(RunCause cause, Instant now) {
    running = cause;
    began = now;
    said = now;
    done = 0;
    log.info("computes limits, because of {}", cause);
  }

  synchronized void done(double share) {
    done = share;
    Instant now = clock.instant();
    if (!now.isBefore(said.plus(BETWEEN_LINES))) {
      said = now;
      log.info("{} % of the limits are computed", Math.round(100 * share));
    }
  }

  synchronized void ends(RunResult result, Counts counts, String message) {
    RunCause cause = running;
    if (cause == null) {
      throw new IllegalStateException("no run has begun");
    }
    Instant now = clock.instant();
    double seconds = Duration.between(began, now).toMillis() / 1000.0;
    last =
        new RunReport(
            began.truncatedTo(ChronoUnit.SECONDS).toString(),
            cause.toString(),
            result.toString(),
            seconds,
            counts.limits(),
            counts.changes(),
            counts.kept(),
            counts.masked(),
            counts.approvals(),
            message);
    running = null;
    done = 0;
    metrics.ended(cause, result, last);
    log.info(
        "run because of {} ended after {} s: {}, {} of {} limits change",
        cause,
        seconds,
        result,
        counts.changes(),
        counts.limits());
  }

  /** Somebody looked at limits on trial. */
  synchronized void looked(Promotions trials) {
    metrics.looked(trials);
  }

  synchronized void failed(int times, String message) {
    failures = times;
    failure = message;
  }

  synchronized void succeeded() {
    failures = 0;
    failure = "";
  }

  synchronized void idle(RunNotes notes, Instant nextOfAll) {
    drifted = notes.drifted().size();
    lastFullRunSecond = notes.all() == null ? 0 : notes.all().getEpochSecond();
    next = nextOfAll.equals(Instant.MAX) ? "" : nextOfAll.toString();
  }

  synchronized ConfiguratorStatus status() {
    return new ConfiguratorStatus(
        id,
        running == null ? "" : running.toString(),
        done,
        holder,
        last,
        next,
        failures,
        failure,
        drifted,
        configProblems);
  }
}
