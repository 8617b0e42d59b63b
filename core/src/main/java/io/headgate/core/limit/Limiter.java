package io.headgate.core.limit;

/**
 * The state of one key under a {@link Limit}. Safe for use by many threads.
 *
 * <p>All times are nanoseconds from one arbitrary origin, such as {@link System#nanoTime}, and
 * within 146 years of it. A clock that steps back never gives permits back twice: until it has
 * caught up, nothing comes back.
 *
 * <p>{@link #take} and {@link #tryAcquire} allocate nothing once a key has seen its usual traffic.
 * They are lock-free or hold a spin lock for the few instructions of one decision; each subclass
 * says which. While a {@link JointDecision} is made, those of its limiters wait for it.
 */
public abstract sealed class Limiter permits ArrivalLimiter, LockedLimiter {

  /** What {@link #take} says of a request above the limit: no wait helps. */
  public static final long HOPELESS = Long.MIN_VALUE;

  /** What {@link #take} says once {@link #replaceBy} was called: ask the successor. */
  public static final long RETIRED = Long.MIN_VALUE + 1;

  private final Limit limit;

  Limiter(Limit limit) {
    this.limit = limit;
  }

  /** The limit that this is the state of. */
  public final Limit limit() {
    return limit;
  }

  /**
   * Takes {@code cost} permits, or none.
   *
   * @param cost permits, 0 or more; 0 asks whether a permit is there and takes none
   * @return the permits left, 0 or more, if it took them; else the wait in nanoseconds, negated, or
   *     {@link #HOPELESS} or {@link #RETIRED}
   * @throws IllegalArgumentException if the cost is negative
   */
  public final long take(long cost, long nowNanos) {
    if (cost < 0) {
      throw new IllegalArgumentException("cost: " + cost + " (expected: 0 or more)");
    }
    return cost > limit.limit() ? HOPELESS : tryTake(cost, nowNanos);
  }

  /** {@link #take} without its numbers: whether the permits were taken. */
  public final boolean tryAcquire(long cost, long nowNanos) {
    return take(cost, nowNanos) >= 0;
  }

  /**
   * {@link #take} with all that is to say about it. {@code remaining} and {@code resetAt} may
   * include what other threads took at the same time. A retired limiter denies.
   */
  public final Decision acquire(long cost, long nowNanos) {
    return decision(take(cost, nowNanos), nowNanos);
  }

  /** The decision that goes with a result of {@link #take}. */
  final Decision decision(long taken, long nowNanos) {
    if (taken >= 0) {
      return new Decision(true, limit.limit(), taken, resetAt(nowNanos), 0);
    }
    long wait = taken == HOPELESS ? Decision.NEVER : taken == RETIRED ? 0 : -taken;
    return new Decision(false, limit.limit(), available(nowNanos), resetAt(nowNanos), wait);
  }

  /** Takes all permits that are there, and says how many. */
  public final long drain(long nowNanos) {
    while (true) {
      long available = available(nowNanos);
      if (available == 0 || take(available, nowNanos) >= 0) {
        return available;
      }
    }
  }

  /**
   * Gives permits back that were taken and not used, as if they had not been taken.
   *
   * @param permits permits, 0 or more; not more than were taken at that time
   * @param takenAtNanos the time that was given when they were taken
   * @return whether they were still counted; nothing changes if not
   */
  public final boolean refund(long permits, long takenAtNanos, long nowNanos) {
    if (permits < 0) {
      throw new IllegalArgumentException("permits: " + permits + " (expected: 0 or more)");
    }
    return giveBack(permits, takenAtNanos, nowNanos);
  }

  /**
   * Gives permits back whoever took them and whenever: those that were taken last, as far as they
   * are still counted.
   *
   * @param permits permits, 0 or more; more than are counted gives back all
   * @return the permits left afterwards, or -1 if this limiter is retired
   */
  public final long restore(long permits, long nowNanos) {
    if (permits < 0) {
      throw new IllegalArgumentException("permits: " + permits + " (expected: 0 or more)");
    }
    return makeRoom(permits, nowNanos);
  }

  /**
   * Ends this state and begins that of another limit for the same key. Whoever holds this limiter
   * gets {@link #RETIRED} from then on, so that nothing is taken from both.
   *
   * <p>What a key had taken counts from now on under the new limit, and from when it was taken if
   * both limits are windows of the same kind and length. A limiter that is retired already hands on
   * nothing: its successor starts as a new key does.
   */
  public final Limiter replaceBy(Limit next, Inheritance inheritance, long nowNanos) {
    long before = retire(nowNanos);
    Limiter successor = next.newLimiter(nowNanos);
    if (before >= 0) {
      long remaining = inheritance.remaining(before, limit.limit(), next.limit());
      successor.inherit(this, remaining, nowNanos);
    }
    return successor;
  }

  /**
   * Ends this state if nobody has asked for a time and it has been as good as that of a new key all
   * the while, so that whoever keeps it may drop it. Who holds this limiter still gets {@link
   * #RETIRED} from then on.
   *
   * <p>A bucket that does not begin full is never as a new one again.
   *
   * @param idleNanos for how long, 0 or more
   */
  public final boolean retireIfUnused(long idleNanos, long nowNanos) {
    boolean beginsFull = !(limit instanceof TokenBucket b) || b.initialTokens() == b.capacity();
    return beginsFull && retireIfFullSince(nowNanos - idleNanos);
  }

  /** Ends this state whatever it is: whoever holds it gets {@link #RETIRED} from then on. */
  public final void discard(long nowNanos) {
    retire(nowNanos);
  }

  /** Whether this state has ended, so that every take answers {@link #RETIRED}. */
  public abstract boolean isRetired();

  /** The permits that could be taken now; 0 once retired. */
  public abstract long available(long nowNanos);

  /** When all permits are back if nobody asks, not before {@code nowNanos}. */
  public abstract long resetAt(long nowNanos);

  /**
   * How long until {@code cost} permits could be had, one by one, if nobody else asked; 0 if they
   * are there. More than the limit may be asked for: this is how long a queue takes. Exact up to
   * the limit, at most the true wait beyond.
   */
  public abstract long waitFor(long cost, long nowNanos);

  /** {@link #take} for a cost from 0 to the limit. */
  abstract long tryTake(long cost, long nowNanos);

  abstract boolean giveBack(long permits, long takenAtNanos, long nowNanos);

  abstract long makeRoom(long permits, long nowNanos);

  /**
   * Makes every later take answer {@link #RETIRED}; the permits that were left, or -1 if retired.
   */
  abstract long retire(long nowNanos);

  /** Like {@link #retire}, if all permits have been there since then; whether it is retired. */
  abstract boolean retireIfFullSince(long nanos);

  /** Keeps all others from changing this state until {@link #release}; false if it is retired. */
  abstract boolean hold();

  /** While held: what {@link #tryTake} would answer, without taking anything. */
  abstract long look(long cost, long nowNanos);

  /** While held, and after a {@link #look} that found the permits: takes them. */
  abstract void takeHeld(long cost, long nowNanos);

  /** Ends {@link #hold}. */
  abstract void release();

  /**
   * Called once on a new limiter, before others see it: leaves it with {@code remaining} permits.
   */
  abstract void inherit(Limiter predecessor, long remaining, long nowNanos);
}
