package io.headgate.core.limit;

import static java.math.BigInteger.ONE;
import static java.math.BigInteger.ZERO;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * What a limit means, said as plainly as possible: it keeps every request for ever and counts anew
 * each time, in numbers without bounds.
 */
abstract class NaiveLimit {

  record Taken(long at, long cost) {}

  final List<Taken> taken = new ArrayList<>();

  static NaiveLimit of(Limit limit, long startNanos) {
    if (limit instanceof TokenBucket bucket && bucket.refill() == Refill.INTERVAL) {
      return new Interval(bucket, startNanos);
    } else if (limit instanceof TokenBucket bucket) {
      return new Flowing(
          bucket.capacity(),
          bucket.refillTokens(),
          bucket.refillPeriod().toNanos(),
          bucket.initialTokens(),
          startNanos);
    } else if (limit instanceof LeakyBucket bucket) {
      return new Flowing(
          bucket.capacity(),
          bucket.leak(),
          bucket.period().toNanos(),
          bucket.capacity(),
          startNanos);
    } else if (limit instanceof Gcra gcra) {
      return new Flowing(
          gcra.limit(), gcra.permits(), gcra.period().toNanos(), gcra.limit(), startNanos);
    } else if (limit instanceof FixedWindow fixed) {
      return new Segmented(fixed.limit(), fixed.window().toNanos(), 1);
    } else if (limit instanceof SlidingLog log) {
      return new Log(log.limit(), log.window().toNanos(), 1);
    } else if (limit instanceof SlidingCounter counter) {
      return new Counter(counter.limit(), counter.window().toNanos());
    } else if (limit instanceof SegmentedWindow segmented) {
      long segment = segmented.window().toNanos() / segmented.segmentsPerWindow();
      return segmented.strict()
          ? new Log(segmented.limit(), segmented.window().toNanos(), segment)
          : new Segmented(segmented.limit(), segment, segmented.segmentsPerWindow());
    }
    throw new AssertionError(limit);
  }

  /** The permits left if nobody asks until {@code now}. */
  abstract long left(long now);

  void take(long cost, long now) {
    taken.add(new Taken(now, cost));
  }

  void undo(long cost, long at) {
    for (int i = taken.size() - 1; i >= 0; i--) {
      Taken entry = taken.get(i);
      if (entry.at() == at && entry.cost() >= cost) {
        taken.set(i, new Taken(at, entry.cost() - cost));
        return;
      }
    }
    throw new AssertionError("never taken");
  }

  /** Tokens as a fraction over the period. */
  private static final class Flowing extends NaiveLimit {

    private final BigInteger full;
    private final BigInteger perNano;
    private final BigInteger period;
    private BigInteger level;
    private long last;

    Flowing(long capacity, long permits, long period, long initial, long start) {
      this.period = BigInteger.valueOf(period);
      full = BigInteger.valueOf(capacity).multiply(this.period);
      perNano = BigInteger.valueOf(permits);
      level = BigInteger.valueOf(initial).multiply(this.period);
      last = start;
    }

    @Override
    long left(long now) {
      return level(now).divide(period).longValueExact();
    }

    private BigInteger level(long now) {
      return level.add(BigInteger.valueOf(now - last).multiply(perNano)).min(full);
    }

    @Override
    void take(long cost, long now) {
      level = level(now).subtract(BigInteger.valueOf(cost).multiply(period));
      last = now;
    }

    @Override
    void undo(long cost, long at) {
      take(-cost, last);
      level = level.min(full);
    }
  }

  private static final class Interval extends NaiveLimit {

    private final TokenBucket bucket;
    private final long start;
    private long periods;
    private long tokens;

    Interval(TokenBucket bucket, long start) {
      this.bucket = bucket;
      this.start = start;
      tokens = bucket.initialTokens();
    }

    @Override
    long left(long now) {
      BigInteger come =
          BigInteger.valueOf(periods(now) - periods)
              .multiply(BigInteger.valueOf(bucket.refillTokens()));
      return come.add(BigInteger.valueOf(tokens))
          .min(BigInteger.valueOf(bucket.capacity()))
          .longValueExact();
    }

    private long periods(long now) {
      return (now - start) / bucket.refillPeriod().toNanos();
    }

    @Override
    void take(long cost, long now) {
      tokens = left(now) - cost;
      periods = periods(now);
    }

    @Override
    void undo(long cost, long at) {
      tokens = Math.min(bucket.capacity(), tokens + cost);
    }
  }

  private static final class Segmented extends NaiveLimit {

    private final long limit;
    private final long segment;
    private final int segments;

    Segmented(long limit, long segment, int segments) {
      this.limit = limit;
      this.segment = segment;
      this.segments = segments;
    }

    @Override
    long left(long now) {
      long first = Math.floorDiv(now, segment) - segments + 1;
      return limit
          - taken.stream()
              .filter(entry -> Math.floorDiv(entry.at(), segment) >= first)
              .mapToLong(Taken::cost)
              .sum();
    }
  }

  /** Entries of a segment are as young as the youngest that was ever taken in it. */
  private static final class Log extends NaiveLimit {

    private final long limit;
    private final long window;
    private final long segment;

    Log(long limit, long window, long segment) {
      this.limit = limit;
      this.window = window;
      this.segment = segment;
    }

    @Override
    long left(long now) {
      return limit
          - taken.stream()
              .filter(entry -> youngestWith(entry) > now - window)
              .mapToLong(Taken::cost)
              .sum();
    }

    private long youngestWith(Taken entry) {
      return taken.stream()
          .mapToLong(Taken::at)
          .filter(at -> Math.floorDiv(at, segment) == Math.floorDiv(entry.at(), segment))
          .max()
          .orElseThrow();
    }
  }

  private static final class Counter extends NaiveLimit {

    private final long limit;
    private final long window;

    Counter(long limit, long window) {
      this.limit = limit;
      this.window = window;
    }

    @Override
    long left(long now) {
      long index = Math.floorDiv(now, window);
      BigInteger covered = BigInteger.valueOf(window - Math.floorMod(now, window));
      BigInteger weighted = count(index - 1).multiply(covered);
      BigInteger[] parts = weighted.divideAndRemainder(BigInteger.valueOf(window));
      BigInteger before = parts[0].add(parts[1].equals(ZERO) ? ZERO : ONE);
      return limit - before.add(count(index)).longValueExact();
    }

    private BigInteger count(long index) {
      return BigInteger.valueOf(
          taken.stream()
              .filter(entry -> Math.floorDiv(entry.at(), window) == index)
              .mapToLong(Taken::cost)
              .sum());
    }
  }
}
