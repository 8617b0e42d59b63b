package io.headgate.server.demo;

import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import io.headgate.server.command.Termination;
import io.headgate.server.demo.load.Arrivals;
import io.headgate.server.demo.load.LoadGenerator;
import io.headgate.server.demo.load.LoadProfile;
import io.headgate.server.demo.load.ProfileArrivals;
import io.headgate.server.demo.load.TraceArrivals;
import io.headgate.server.demo.measure.Census;
import io.headgate.server.demo.measure.DemoResult;
import io.headgate.server.demo.measure.ReactionTime;
import io.headgate.server.demo.measure.RuleName;
import io.headgate.server.demo.measure.RuleResults;
import io.headgate.server.demo.sample.Payments;
import io.headgate.server.demo.sample.SampleRules;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A run that measures. All parts warm up while demand rises to half of the limit. It stays there
 * for a moment and then steps to one and a half of the limit; what the rules do is measured once it
 * has had the time to settle. The calls of a trace are replayed as they are, without a step.
 *
 * <p>The warm-up is a load of its own. Code that runs for the first time makes it late, and a load
 * that has to make up for that is higher than it should be for seconds.
 */
final class MeasuredRun {

  /** The shortest run: what is left of it to be measured is enough for the promised accuracy. */
  static final int MIN_SECONDS = 15;

  /** The limit of the main rule: high enough for each caller's share to be known to a percent. */
  static final double MAIN_LIMIT_PER_SECOND = 2_000;

  private static final double LOW_LOAD = 0.5;
  private static final double HIGH_LOAD = 1.5;
  private static final double WARM_UP_SECONDS = 4;
  private static final double LOW_SECONDS = 2;
  private static final double SETTLE_SECONDS = 4;
  private static final double REACTION_BOUND = 1.1;
  private static final long WINDOW_NANOS = 250_000_000;
  private static final long SAMPLE_MILLIS = 25;
  private static final RuleName MAIN = new RuleName(Payments.SERVICE, SampleRules.MAIN);

  private final DemoFleet fleet;
  private final @Nullable TraceReplay trace;
  private final int seconds;

  /**
   * A run.
   *
   * @param trace what is called when; null for the step
   * @param seconds how long the load is on after the warm-up, {@value #MIN_SECONDS} at least
   */
  MeasuredRun(DemoFleet fleet, @Nullable TraceReplay trace, int seconds) {
    this.fleet = fleet;
    this.trace = trace;
    this.seconds = seconds;
  }

  /** Makes the calls; null if the end was asked for before they were measured. */
  @Nullable DemoResult run(Termination termination) throws InterruptedException {
    if (!warmUp(termination)) {
      return null;
    }
    try (LoadGenerator load = LoadGenerator.start(arrivals(MeasuredRun::load))) {
      long stepNanos = load.beganNanos() + (long) (LOW_SECONDS * 1e9);
      double mainLimit = mainLimitPerSecond();
      // As many calls in a window, whatever the load.
      long windowNanos = (long) (WINDOW_NANOS / fleet.loadFactor());
      ReactionTime reaction = new ReactionTime(stepNanos, REACTION_BOUND * mainLimit, windowNanos);
      double measureFrom = trace == null ? LOW_SECONDS + SETTLE_SECONDS : 0;
      @Nullable Census from = null;
      while (true) {
        Census now = fleet.census();
        reaction.add(now.nanoTime(), now.admitted(MAIN));
        double elapsed = load.elapsedSeconds();
        if (from == null && elapsed >= measureFrom) {
          from = now;
        }
        if (from != null && elapsed >= seconds) {
          return result(from, now, reaction);
        }
        if (termination.await(SAMPLE_MILLIS)) {
          return null;
        }
      }
    }
  }

  /** False if the end was asked for before. */
  private boolean warmUp(Termination termination) throws InterruptedException {
    LoadProfile rise = elapsedSeconds -> LOW_LOAD * Math.min(1, elapsedSeconds / WARM_UP_SECONDS);
    try (LoadGenerator load = LoadGenerator.start(arrivals(rise))) {
      return !termination.await((long) (WARM_UP_SECONDS * 1e3));
    }
  }

  private Arrivals arrivals(LoadProfile profile) {
    RandomGenerator random = RandomGenerator.getDefault();
    double usual = MAIN_LIMIT_PER_SECOND * fleet.loadFactor();
    var flows = fleet.callers().flows(usual, location -> profile);
    return trace == null
        ? new ProfileArrivals(flows, random)
        : new TraceArrivals(trace.trace(), trace.speed(), flows, random);
  }

  private static double load(double elapsedSeconds) {
    return elapsedSeconds < LOW_SECONDS ? LOW_LOAD : HIGH_LOAD;
  }

  private DemoResult result(Census from, Census to, ReactionTime reaction) {
    var interval = to.since(from);
    var secondsToUnder = reaction.seconds();
    boolean stepped = trace == null && secondsToUnder.isPresent();
    return new DemoResult(
        seconds,
        interval.seconds(),
        RuleResults.of(rules(), interval),
        new DemoResult.Reaction(stepped ? secondsToUnder.getAsDouble() : null),
        fleet.callers().outcomes().failedCalls(),
        fleet.callers().outcomes().firstFailure());
  }

  private ServiceRules rules() {
    ServiceRules rules = fleet.rules().rules().services().get(Payments.SERVICE);
    if (rules == null) {
      throw new IllegalStateException("the demo has written rules of its own");
    }
    return rules;
  }

  private double mainLimitPerSecond() {
    for (Rule rule : rules().rules()) {
      if (rule.name().equals(SampleRules.MAIN)) {
        return rule.limit().perSecond();
      }
    }
    throw new IllegalStateException("the demo has written a rule " + SampleRules.MAIN);
  }
}
