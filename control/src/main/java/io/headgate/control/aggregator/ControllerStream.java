package io.headgate.control.aggregator;

import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.ServiceRules;
import io.headgate.core.shed.Directive;
import io.headgate.core.shed.Level;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.v1.ControllerHello;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Rules;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one controller has said on one stream: who it is, its rules and its directives. It is kept
 * for every controller, so that following another one takes no time.
 */
final class ControllerStream {

  /** No controller needs longer; one that is out of its mind must not hold traffic for days. */
  private static final long MAX_TTL_MILLIS = 60_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final ZoneReportWriter reports;
  private final DirectiveTable directives = new DirectiveTable();

  private @Nullable ControllerHello hello;
  private RuleSet rules = RuleSet.NONE;
  private boolean judges;

  /** The controller has judged the buckets with numbers up to this. */
  private int judgedTo;

  private long directivesUntilNanos;
  private long directivesVersion;
  private long heardNanos;

  ControllerStream(ZoneReportWriter reports, long nowNanos) {
    this.reports = reports;
    heardNanos = nowNanos;
  }

  /** The writer of the reports on this stream. */
  ZoneReportWriter reports() {
    return reports;
  }

  void heard(long nowNanos) {
    heardNanos = nowNanos;
  }

  long heardNanos() {
    return heardNanos;
  }

  /** Who it is, or null before it has said so. */
  @Nullable ControllerHello hello() {
    return hello;
  }

  void hello(ControllerHello hello) {
    this.hello = hello;
  }

  /** Whether it has heard too little yet to judge. */
  boolean isLearning() {
    return hello != null && hello.getLearning();
  }

  /** Its rules; {@link RuleSet#NONE} before it has sent any. */
  RuleSet rules() {
    return rules;
  }

  /**
   * Takes its rules.
   *
   * @throws IllegalArgumentException if they make no sense; those before stay
   */
  void rules(Rules message) {
    Map<String, ServiceRules> services = new TreeMap<>();
    for (ServiceRules service : RuleMessages.services(message)) {
      if (services.put(service.service(), service) != null) {
        throw new IllegalArgumentException("service '" + service.service() + "' is there twice");
      }
    }
    if (message.getConfigVersion() < 0 || message.getDigest().isEmpty()) {
      throw new IllegalArgumentException(
          "config version "
              + Long.toUnsignedString(message.getConfigVersion())
              + ", digest '"
              + message.getDigest()
              + "' (expected: a version below 2^63 and a digest)");
    }
    rules = new RuleSet(message.getConfigVersion(), message.getDigest(), services);
  }

  /**
   * Takes its directives.
   *
   * @return how many rows were about buckets that this stream does not know
   * @throws IllegalArgumentException if they make no sense; those before stay
   */
  int directives(Directives message, long nowNanos) {
    check(message);
    if (message.getComplete()) {
      directives.clear();
      judgedTo = 0;
      judges = true;
    }
    while (judgedTo < Math.min(message.getJudgedTo(), reports.lastNumber())) {
      int bucket = reports.bucket(++judgedTo);
      if (bucket != BucketTable.NONE) {
        directives.set(bucket, DirectiveTable.NONE);
      }
    }
    int unknown = 0;
    for (int row = 0; row < message.getBucketCount(); row++) {
      int bucket = reports.bucket(message.getBucket(row));
      if (bucket == BucketTable.NONE) {
        unknown++;
      } else {
        directives.set(
            bucket, new Directive(message.getLevel(row), message.getAccept(row)).toBits());
      }
    }
    long ttlMillis = Math.min(Integer.toUnsignedLong(message.getTtlMillis()), MAX_TTL_MILLIS);
    directivesUntilNanos = nowNanos + ttlMillis * NANOS_PER_MILLI;
    directivesVersion = message.getConfigVersion();
    return unknown;
  }

  /** Its directives by bucket index. */
  DirectiveTable directives() {
    return directives;
  }

  /**
   * Whether its directives say something: it has sent them all once, and their time is not over.
   */
  boolean judges(long nowNanos) {
    return judges && directivesUntilNanos - nowNanos > 0;
  }

  /** Until when its directives hold. */
  long directivesUntilNanos() {
    return directivesUntilNanos;
  }

  /** The version of the rules for which its directives are. */
  long directivesVersion() {
    return directivesVersion;
  }

  /** The bucket's index is about to mean another bucket. */
  void forget(int bucket) {
    directives.set(bucket, DirectiveTable.UNJUDGED);
    reports.forget(bucket);
  }

  private static void check(Directives message) {
    int rows = message.getBucketCount();
    if (message.getLevelCount() != rows || message.getAcceptCount() != rows) {
      throw new IllegalArgumentException(
          "directives with "
              + rows
              + " buckets, "
              + message.getLevelCount()
              + " levels, "
              + message.getAcceptCount()
              + " thresholds (expected: as many of each)");
    }
    for (int row = 0; row < rows; row++) {
      int level = message.getLevel(row);
      if (level != Directive.NO_LEVEL && (level < 0 || level >= Level.COUNT)) {
        throw new IllegalArgumentException(
            "directive at level " + level + " (expected: 0 to 11, or 255 for none)");
      }
    }
  }
}
