package io.headgate.agent;

import io.headgate.core.shed.Directive;
import io.headgate.core.shed.Level;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.v1.Directives;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The directives in force and their common time to live. Once that is over they are released: their
 * drop ratios fall linearly to zero over the ramp. A message that renews them brings them back in
 * full, as the sender believes them to be in force. Confined to the event loop.
 */
final class Enforcement {

  private static final long RAMP_STEP_NANOS = 100_000_000;

  private final EventLoop loop;
  private final long rampNanos;
  private final Runnable changed;

  /** Buckets with an order from the control plane; these alone can have a directive in force. */
  private final Set<Bucket> ordered = new LinkedHashSet<>();

  private boolean directedByStream;
  private long expiresNanos;
  private EventLoop.@Nullable Timer timer;
  private long timerDueNanos;

  Enforcement(EventLoop loop, long rampNanos) {
    this(loop, rampNanos, () -> {});
  }

  /**
   * No directives yet.
   *
   * @param changed told when what is in force for any bucket has changed
   */
  Enforcement(EventLoop loop, long rampNanos, Runnable changed) {
    this.loop = loop;
    this.rampNanos = rampNanos;
    this.changed = changed;
    expiresNanos = loop.nanoTime();
  }

  /**
   * Takes a message over.
   *
   * @param numbers the buckets by their numbers on the stream that it came from
   * @throws IllegalArgumentException if it makes no sense; nothing has changed then
   */
  void apply(Directives message, BucketNumbers numbers) {
    check(message);
    directedByStream |= message.getBucketCount() > 0;
    for (int row = 0; row < message.getBucketCount(); row++) {
      Bucket bucket = numbers.bucket(message.getBucket(row));
      if (bucket != null) {
        long bits = bits(message, row);
        if (DirectiveBits.isMuchDifferent(bucket.ordered(), bits)) {
          bucket.demand().alert(loop.nanoTime());
        }
        bucket.setOrdered(bits);
        ordered.add(bucket);
      }
    }
    if (message.getTtlMillis() != 0 && directedByStream) {
      expiresNanos =
          loop.nanoTime()
              + TimeUnit.MILLISECONDS.toNanos(Integer.toUnsignedLong(message.getTtlMillis()));
    }
    enforce();
  }

  /**
   * A new stream begins. What is in force stays so for the time it has left, bucket by bucket until
   * the stream says otherwise; and nothing on the stream renews it before its sender has shown that
   * it judges.
   */
  void streamChanged() {
    directedByStream = false;
  }

  /** Lets everything pass from now on. */
  void end() {
    ordered.forEach(bucket -> bucket.setOrdered(DirectiveBits.NONE));
    enforce();
  }

  /** Has the gates apply what is in force at this moment. */
  private void enforce() {
    double released = released(loop.nanoTime());
    boolean anyChanged = false;
    Iterator<Bucket> buckets = ordered.iterator();
    while (buckets.hasNext()) {
      Bucket bucket = buckets.next();
      anyChanged |= bucket.enforce(DirectiveBits.released(bucket.ordered(), released));
      if (bucket.ordered() == DirectiveBits.NONE) {
        buckets.remove();
      }
    }
    if (!ordered.isEmpty() && released < 1) {
      wakeAt(Math.max(expiresNanos, loop.nanoTime() + RAMP_STEP_NANOS));
    }
    if (anyChanged) {
      changed.run();
    }
  }

  /** How far the release has come: 0 within the time to live, 1 when it is complete. */
  private double released(long now) {
    long overdueNanos = now - expiresNanos;
    if (overdueNanos < 0) {
      return 0;
    }
    return overdueNanos >= rampNanos ? 1 : (double) overdueNanos / rampNanos;
  }

  private void wakeAt(long dueNanos) {
    if (timer != null) {
      if (timerDueNanos <= dueNanos) {
        return;
      }
      timer.cancel();
    }
    timerDueNanos = dueNanos;
    timer =
        loop.schedule(
            dueNanos - loop.nanoTime(),
            () -> {
              timer = null;
              enforce();
            });
  }

  private static void check(Directives message) {
    int rows = message.getBucketCount();
    checkColumn("level", message.getLevelCount(), rows);
    checkColumn("accept", message.getAcceptCount(), rows);
    for (int level : message.getLevelList()) {
      boolean ofRequests = level >= 0 && level < Level.COUNT;
      if (!ofRequests && level != Directive.IN_USE_LEVEL && level != Directive.NO_LEVEL) {
        throw new IllegalArgumentException(
            "directives: level "
                + Integer.toUnsignedString(level)
                + " (expected: 0 to 11, 254 or 255)");
      }
    }
  }

  /** A column may be left out, and is all zeros then. */
  private static void checkColumn(String column, int length, int rows) {
    if (length != 0 && length != rows) {
      throw new IllegalArgumentException(
          "directives: " + length + " rows of " + column + " (expected: 0 or " + rows + ")");
    }
  }

  private static long bits(Directives message, int row) {
    int level = message.getLevelCount() == 0 ? 0 : message.getLevel(row);
    int accept = message.getAcceptCount() == 0 ? 0 : message.getAccept(row);
    return level == Directive.NO_LEVEL ? DirectiveBits.NONE : new Directive(level, accept).toBits();
  }
}
