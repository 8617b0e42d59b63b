package io.headgate.core.limit;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A limit of what is in use at the same time that finds itself: it rises while requests take their
 * usual time, and falls when they take longer, as they do when they wait in a queue behind it.
 * Taking and giving back is lock-free.
 */
public final class AdaptiveConcurrencyLimiter {

  /*
   * The gradient of Netflix' concurrency-limits [1]: after each window of samples
   *
   *   gradient = clamp(tolerance * usual / measured, 0.5, 1)
   *   limit    = limit * gradient + sqrt(limit), smoothed
   *
   * but with another usual time. There it is a slow average of all samples: under a mild overload it
   * follows the measured time, the gradient comes back to 1 and the limit creeps up for ever. Here a
   * window in which the limit was used to more than half teaches only lower times, as its own queue may
   * be in them. So that a service that has become slower for good is found out, the usual time is
   * learned anew now and then with few requests at the same time, as Envoy does [2].
   *
   * [1] https://github.com/Netflix/concurrency-limits, Gradient2Limit
   * [2] https://www.envoyproxy.io/docs, adaptive concurrency, minRTT
   */

  private static final int WINDOW_SAMPLES = 20;
  private static final double SMOOTHING = 0.2;
  private static final double LEARN_LOWER = 0.1;
  private static final double LEARN_HIGHER = 0.02;
  private static final double STEEPEST = 0.5;
  private static final double AFTER_A_DROP = 0.9;

  private final AdaptiveLimit bounds;
  private final LongSupplier nanoClock;
  private final ConcurrencyLimiter limiter;

  private final AtomicLong samples = new AtomicLong();
  private final AtomicLong totalNanos = new AtomicLong();
  private final AtomicBoolean dropped = new AtomicBoolean();
  private final AtomicBoolean updating = new AtomicBoolean();

  /** The most that were in use when a request of the window began or ended. */
  private final LongAccumulator mostInUse = new LongAccumulator(Math::max, 0);

  /** Samples of requests that began before do not count. */
  private volatile long windowBegan;

  /** By the one who updates. */
  private double limit;

  private double usualNanos;
  private volatile boolean learning;
  private long learnAt;

  /**
   * @param bounds the range of the limit
   * @param nanoClock nanoseconds from any origin, such as {@link System#nanoTime}
   */
  public AdaptiveConcurrencyLimiter(AdaptiveLimit bounds, LongSupplier nanoClock) {
    this.bounds = bounds;
    this.nanoClock = nanoClock;
    limiter = new ConcurrencyLimiter(bounds.initial());
    limit = bounds.initial();
    windowBegan = nanoClock.getAsLong();
    learnAt = windowBegan + bounds.relearn().toNanos();
  }

  /** Takes a permit until the request is over; null if there is none. */
  public @Nullable Permit tryAcquire() {
    if (!limiter.tryTake(1)) {
      return null;
    }
    return new Permit(nanoClock.getAsLong(), limiter.inUse());
  }

  /** The limit as it is now. */
  public long limit() {
    return limiter.limit();
  }

  /** The permits in use now. */
  public long inUse() {
    return limiter.inUse();
  }

  private void sample(long begun, long inUse, long nanos) {
    if (learning && begun - windowBegan < 0) {
      return;
    }
    mostInUse.accumulate(inUse);
    totalNanos.addAndGet(nanos);
    if (samples.incrementAndGet() >= WINDOW_SAMPLES && updating.compareAndSet(false, true)) {
      try {
        long count = samples.getAndSet(0);
        if (count > 0) {
          update((double) totalNanos.getAndSet(0) / count, mostInUse.getThenReset());
        }
      } finally {
        updating.set(false);
      }
    }
  }

  private void update(double nanos, long inUse) {
    long now = nanoClock.getAsLong();
    if (learning || usualNanos == 0) {
      usualNanos = nanos;
      learning = false;
    } else if (dropped.getAndSet(false)) {
      limit = clamp(limit * AFTER_A_DROP);
    } else {
      adapt(nanos, inUse);
    }
    if (now - learnAt >= 0) {
      learning = true;
      learnAt = now + bounds.relearn().toNanos();
    }
    limiter.changeLimit((long) (learning ? clamp(Math.sqrt(limit)) : limit));
    windowBegan = now;
  }

  private void adapt(double nanos, long inUse) {
    boolean isUsed = inUse * 2 > limit;
    if (nanos < usualNanos) {
      usualNanos += LEARN_LOWER * (nanos - usualNanos);
    } else if (!isUsed) {
      usualNanos += LEARN_HIGHER * (nanos - usualNanos);
    }
    double gradient = Math.max(STEEPEST, Math.min(1, bounds.tolerance() * usualNanos / nanos));
    double wanted = limit * gradient + Math.sqrt(limit);
    // Where few are in use, that times are fine says nothing about more.
    if (isUsed || wanted < limit) {
      limit = clamp(limit + SMOOTHING * (wanted - limit));
    }
  }

  private double clamp(double permits) {
    return Math.max(bounds.least(), Math.min(bounds.most(), permits));
  }

  /**
   * The permit of one request, which says at its end how it went. The first that is said counts.
   */
  public final class Permit implements AutoCloseable {

    private final long begun;
    private final long inUse;
    private final AtomicBoolean released = new AtomicBoolean();

    private Permit(long begun, long inUse) {
      this.begun = begun;
      this.inUse = inUse;
    }

    /** The request was answered; how long it took is a sample. */
    @Override
    public void close() {
      if (released.compareAndSet(false, true)) {
        long most = Math.max(inUse, limiter.inUse());
        limiter.giveBack(1);
        sample(begun, most, Math.max(1, nanoClock.getAsLong() - begun));
      }
    }

    /** The request was dropped by the service or timed out: the limit is too high. */
    public void dropped() {
      dropped.set(true);
      close();
    }

    /** Gives the permit back without a sample, such as for a request that failed at once. */
    public void ignore() {
      if (released.compareAndSet(false, true)) {
        limiter.giveBack(1);
      }
    }
  }
}
