package io.headgate.agent;

import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.Directives;
import java.util.concurrent.TimeUnit;

/**
 * Carries out what aggregators say: rules, directives, how often to report. What makes no sense is
 * refused, counted and forgotten. Confined to the event loop, but for what says otherwise.
 */
final class Directions {

  private static final System.Logger LOG = System.getLogger(Directions.class.getName());

  private static final long MOST_SLOW_DOWN_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final RuleBook rules;
  private final Enforcement enforcement;
  private final Reporting reporter;
  private final BucketNumbers numbers;

  private boolean missedDirectives;
  private volatile long refusedMessages; // written on the loop, read by anyone

  Directions(RuleBook rules, Enforcement enforcement, Reporting reporter, BucketNumbers numbers) {
    this.rules = rules;
    this.enforcement = enforcement;
    this.reporter = reporter;
    this.numbers = numbers;
  }

  /** Another stream is in use now. */
  void streamChanged() {
    missedDirectives = false;
    enforcement.streamChanged();
  }

  /** Whether directives on the stream in use were ignored, because they were for earlier rules. */
  boolean hasMissedDirectives() {
    return missedDirectives;
  }

  /** Messages that made no sense. Any thread. */
  long refusedMessages() {
    return refusedMessages;
  }

  /**
   * Carries out a message.
   *
   * @param inUse whether it came on the stream in use; on another one only rules count
   */
  void follow(AgentDirection message, AggregatorStream from, boolean inUse) {
    try {
      if (message.hasRules()) {
        rules.receive(message.getRules());
      } else if (inUse && message.hasDirectives()) {
        direct(message.getDirectives());
      } else if (inUse && message.hasSlowDown()) {
        slowDown(message.getSlowDown().getIntervalMillis());
      }
    } catch (IllegalArgumentException e) {
      refuse(from, e);
    }
  }

  private void direct(Directives directives) {
    if (Long.compareUnsigned(directives.getConfigVersion(), rules.version()) < 0) {
      missedDirectives = true;
      return;
    }
    rules.confirm(directives.getConfigVersion());
    enforcement.apply(directives, numbers);
  }

  private void slowDown(int intervalMillis) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(Integer.toUnsignedLong(intervalMillis));
    reporter.slowDown(Math.min(nanos, MOST_SLOW_DOWN_NANOS));
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // The loop alone writes it.
  private void refuse(AggregatorStream from, IllegalArgumentException reason) {
    refusedMessages++;
    LOG.log(
        from.isFirstRefusal() ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
        "aggregator {0}: message refused, what was in force stays so: {1}",
        from.address(),
        reason.getMessage());
  }
}
