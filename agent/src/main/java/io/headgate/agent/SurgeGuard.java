package io.headgate.agent;

import io.headgate.core.shed.Directive;
import io.headgate.core.shed.Level;
import java.util.Arrays;

/**
 * Holds one bucket of this process back in a surge until the control plane has judged it.
 *
 * <p>The control plane says how much of the limit is in use, or what may pass of what is offered;
 * from that follows this process's own part of the limit, averaged over the last ten seconds. When
 * significantly more than the guard's factor times that part would pass, the guard cuts it down to
 * just so much, the least urgent requests first. It does so until what would pass is within bounds
 * again, or for as long as the slowest control plane takes to judge: what is offered after that is
 * what others have found to be right.
 *
 * <p>It works by a directive of its own, which it makes anew at each look, so that requests are
 * judged as they always are and a bucket without a guard pays nothing. The price is that the first
 * look or two of a surge pass. Confined to the event loop.
 */
final class SurgeGuard {

  /** The time over which the process's part of the limit is averaged. */
  private static final double MEMORY_SECONDS = 10;

  /** Before it has looked for so long the guard does not know what is usual. */
  private static final double LEAST_SEEN_SECONDS = 2;

  /** A process is never held below this: so few requests say nothing of a surge. */
  private static final double LEAST_PER_SECOND = 5;

  /** So many standard deviations above the bound are no chance, at forty looks a second. */
  private static final double SIGMA = 4.5;

  /** The windows in which a surge shows are 1, 2, 4 and 8 looks; its rate is that of the last 8. */
  private static final int MOST_LOOKS = 8;

  /**
   * Calls that were held up somewhere come in a burst. Of what is too much in a window, at least
   * this part must be too much in one so many times as long.
   */
  private static final double KEPT = 0.5;

  private static final int CONTEXT = 8;

  private final long holdNanos;

  /** What had been offered in all at the last looks, by level, in a ring. */
  private final long[][] totals = new long[LookTimes.KEPT][Level.COUNT];

  private final double[] counted = new double[Level.COUNT];

  private int looks;
  private long lastNanos;
  private long catchUpUntilNanos;
  private double seenSeconds;
  private double partPerSecond;
  private boolean holding;
  private int surgeLooks;
  private long surgeSinceNanos;

  /** A guard that lets go of a surge after this time. */
  SurgeGuard(long holdNanos) {
    this.holdNanos = holdNanos;
  }

  /**
   * Takes what has been counted up to now.
   *
   * @param factor how many times the process's part of the limit may pass
   * @return what the guard lets pass, as {@link DirectiveBits}
   */
  long look(LookTimes times, Bucket bucket, double factor) {
    long[] now = totals[times.slot()];
    for (int level = 0; level < Level.COUNT; level++) {
      LevelCounts counts = bucket.countsIfSeen(level);
      now[level] = counts == null ? 0 : counts.offered();
    }
    long nowNanos = times.nowNanos();
    double sinceLast = looks == 0 ? 0 : (nowNanos - lastNanos) / 1e9;
    lastNanos = nowNanos;
    if (looks == 0 || sinceLast > DemandWatch.HELD_UP_NANOS / 1e9) {
      // The process stood still, and its calls with it.
      catchUpUntilNanos = nowNanos + DemandWatch.CATCH_UP_NANOS;
    }
    looks = Math.min(looks + 1, LookTimes.KEPT);
    if (bucket.inForce() == DirectiveBits.NONE) {
      // Far from the limit, or nobody there who judges: there is nothing to guard.
      forget();
      return DirectiveBits.NONE;
    }
    double bound = Math.max(LEAST_PER_SECOND, factor * partPerSecond);
    if (holding) {
      return hold(times, bucket, bound, nowNanos);
    }
    if (nowNanos - catchUpUntilNanos < 0) {
      return DirectiveBits.NONE;
    }
    if (seenSeconds >= LEAST_SEEN_SECONDS) {
      int surge = surge(times, bucket, bound);
      if (surge > 0) {
        holding = true;
        surgeLooks = surge;
        surgeSinceNanos = nowNanos;
        return holdBack(times, bucket, bound);
      }
    }
    learn(times, bucket, sinceLast);
    return DirectiveBits.NONE;
  }

  private void forget() {
    seenSeconds = 0;
    partPerSecond = 0;
    holding = false;
  }

  /** The fewest looks that show a surge; 0 if there is none. */
  private int surge(LookTimes times, Bucket bucket, double boundPerSecond) {
    for (int back = 1; back <= MOST_LOOKS && back < looks; back *= 2) {
      double allowed = boundPerSecond * times.nanos(back) / 1e9;
      if (passing(times, bucket, back) > allowed + SIGMA * Math.sqrt(allowed)
          && isNoCatchUp(times, bucket, back)) {
        return back;
      }
    }
    return 0;
  }

  private boolean isNoCatchUp(LookTimes times, Bucket bucket, int back) {
    int context = Math.min(CONTEXT * back, looks - 1);
    return excess(times, bucket, context) >= KEPT * excess(times, bucket, back);
  }

  /** What passes beyond what is usual. */
  private double excess(LookTimes times, Bucket bucket, int back) {
    double inUse = DirectiveBits.inUse(bucket.inForce());
    double usualPerSecond = inUse > 0 ? partPerSecond * inUse : partPerSecond;
    return passing(times, bucket, back) - usualPerSecond * times.nanos(back) / 1e9;
  }

  private long hold(LookTimes times, Bucket bucket, double bound, long nowNanos) {
    surgeLooks = Math.min(MOST_LOOKS, surgeLooks + 1);
    double seconds = times.nanos(surgeLooks) / 1e9;
    double perSecond = passing(times, bucket, surgeLooks) / seconds;
    boolean judged = nowNanos - surgeSinceNanos >= holdNanos;
    if (judged) {
      partPerSecond = partOfLimit(bucket, perSecond);
    }
    if (judged || perSecond <= bound) {
      holding = false;
      return DirectiveBits.NONE;
    }
    return holdBack(times, bucket, bound);
  }

  /** Gives the bound to the most urgent level first. */
  private long holdBack(LookTimes times, Bucket bucket, double boundPerSecond) {
    passing(times, bucket, surgeLooks);
    double room = boundPerSecond * times.nanos(surgeLooks) / 1e9;
    for (int level = 0; level < Level.COUNT; level++) {
      if (counted[level] > room) {
        double share = room / counted[level];
        return new Directive(
                level, Directive.accept(share * DirectiveBits.acceptRatio(bucket.inForce(), level)))
            .toBits();
      }
      room -= counted[level];
    }
    return DirectiveBits.NONE;
  }

  private void learn(LookTimes times, Bucket bucket, double seconds) {
    if (seconds <= 0 || looks < 2) {
      return;
    }
    seenSeconds = Math.min(MEMORY_SECONDS, seenSeconds + seconds);
    double perSecond = passing(times, bucket, 1) / seconds;
    partPerSecond +=
        (partOfLimit(bucket, perSecond) - partPerSecond) * Math.min(1, seconds / seenSeconds);
  }

  /** This process's part of the limit, when so much of its requests may pass. */
  private static double partOfLimit(Bucket bucket, double passingPerSecond) {
    double inUse = DirectiveBits.inUse(bucket.inForce());
    return inUse > 0 ? passingPerSecond / inUse : passingPerSecond;
  }

  /**
   * What passes by the control plane of what was offered in the last looks; fills {@link #counted}.
   */
  private double passing(LookTimes times, Bucket bucket, int back) {
    long[] now = totals[times.slot()];
    long[] then = totals[times.slot(back)];
    double passing = 0;
    Arrays.fill(counted, 0);
    for (int level = 0; level < Level.COUNT; level++) {
      long offered = now[level] - then[level];
      if (offered > 0) {
        counted[level] = offered * DirectiveBits.acceptRatio(bucket.inForce(), level);
        passing += counted[level];
      }
    }
    return passing;
  }
}
