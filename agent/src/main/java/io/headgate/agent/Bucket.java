package io.headgate.agent;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleOptions;
import io.headgate.core.rule.Sampler;
import io.headgate.core.shed.Level;
import io.headgate.core.shed.StratifiedDraws;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * One bucket in this process: its counts, the directive in force for it and what a drop answers.
 * Shared by all gates whose requests it counts; request threads read and count without a lock.
 */
final class Bucket implements RelayBucket {

  private final BucketKey key;

  /** By {@link Level}; a level's counts are made when it is first seen. */
  private final AtomicReferenceArray<@Nullable LevelCounts> levels =
      new AtomicReferenceArray<>(Level.COUNT);

  private volatile long directive = DirectiveBits.NONE;
  private volatile Verdict dropVerdict;
  private volatile int defaultClass = RuleOptions.DEFAULT.criticality();
  private volatile Sampler sampler = RuleOptions.DEFAULT.sampler();
  private volatile @Nullable Rule rule;
  private volatile double surgeFactor = RuleOptions.NO_GUARD;

  /** Null while draws are independent: requests are many, or the rule says so. */
  private volatile @Nullable StratifiedDraws strata;

  // Confined to the event loop.
  private final BucketDemand demand = new BucketDemand();
  private int number;
  private long ordered = DirectiveBits.NONE;
  private long inForce = DirectiveBits.NONE;
  private long guard = DirectiveBits.NONE;
  private @Nullable SurgeGuard surgeGuard;

  Bucket(BucketKey key, Verdict dropVerdict) {
    this.key = key;
    this.dropVerdict = dropVerdict;
  }

  @Override
  public BucketKey key() {
    return key;
  }

  // ---- request threads

  /** The directive that gates apply, as {@link DirectiveBits}. */
  long directive() {
    return directive;
  }

  /** What becomes of a request that the directive drops: {@link Verdict#ADMITTED} in shadow. */
  Verdict dropVerdict() {
    return dropVerdict;
  }

  /** The class of requests that carry none. */
  int defaultClass() {
    return defaultClass;
  }

  /** Makes 64 random bits a draw of 63 bits: an independent one, or one of an even sequence. */
  long draw(long random) {
    StratifiedDraws draws = strata;
    return draws == null ? random & Long.MAX_VALUE : draws.next(random);
  }

  LevelCounts counts(int level) {
    LevelCounts counts = levels.getAcquire(level);
    return counts != null ? counts : makeCounts(level);
  }

  private LevelCounts makeCounts(int level) {
    LevelCounts made = new LevelCounts();
    LevelCounts other = levels.compareAndExchange(level, null, made);
    return other != null ? other : made;
  }

  // ---- anyone

  /** The counts of a level, or null if it was never seen. */
  @Nullable LevelCounts countsIfSeen(int level) {
    return levels.getAcquire(level);
  }

  /** Goes by the rule as it is from now on. */
  void follow(Rule changed, Verdict dropVerdict) {
    rule = changed;
    follow(changed.options(), dropVerdict);
  }

  /** Goes by these options from now on. */
  void follow(RuleOptions options, Verdict dropVerdict) {
    this.dropVerdict = dropVerdict;
    defaultClass = options.criticality();
    sampler = options.sampler();
    surgeFactor = options.surgeGuard();
    if (sampler != Sampler.AUTO) {
      setSparse(false);
    }
  }

  /** What this bucket has counted since it was made. */
  BucketCounts snapshot() {
    long admitted = 0;
    long dropped = 0;
    long wouldDrop = 0;
    for (int level = 0; level < Level.COUNT; level++) {
      LevelCounts counts = countsIfSeen(level);
      if (counts != null) {
        admitted += counts.admitted();
        dropped += counts.dropped();
        wouldDrop += counts.wouldDrop();
      }
    }
    return new BucketCounts(
        key.service(),
        key.rule(),
        key.caller(),
        key.procedure(),
        admitted + dropped + wouldDrop,
        admitted + wouldDrop,
        dropped,
        wouldDrop,
        DirectiveBits.dropRatio(directive, defaultClass));
  }

  /** What this bucket has been offered since it was made, at all levels. */
  long offered() {
    long offered = 0;
    for (int level = 0; level < Level.COUNT; level++) {
      LevelCounts counts = countsIfSeen(level);
      if (counts != null) {
        offered += counts.offered();
      }
    }
    return offered;
  }

  // ---- a process that judges elsewhere

  @Override
  public Rule rule() {
    return Objects.requireNonNull(rule, "buckets of gates follow a rule");
  }

  @Override
  public double dropRatio() {
    return DirectiveBits.dropRatio(directive, defaultClass);
  }

  @Override
  public void count(long admitted, long dropped, long wouldDrop) {
    counts(Level.of(defaultClass, false)).addAll(admitted, dropped, wouldDrop);
  }

  // ---- event loop

  BucketDemand demand() {
    return demand;
  }

  /** Whether requests are so few that draws should be even, where the rule does not say how. */
  void setSparse(boolean sparse) {
    boolean even =
        switch (sampler) {
          case AUTO -> sparse;
          case INDEPENDENT -> false;
          case STRATIFIED -> true;
        };
    if (!even) {
      strata = null;
    } else if (strata == null) {
      strata = new StratifiedDraws();
    }
  }

  /** The bucket's number on the stream in use; 0 if it has none yet. */
  int number() {
    return number;
  }

  void setNumber(int number) {
    this.number = number;
  }

  /** The directive that the control plane gave last; what gates apply may be a part of it. */
  long ordered() {
    return ordered;
  }

  void setOrdered(long bits) {
    ordered = bits;
  }

  /**
   * Has gates apply these {@link DirectiveBits} from now on, unless the bucket's guard is tighter.
   *
   * @return whether these are others than before
   */
  boolean enforce(long bits) {
    boolean changed = bits != inForce;
    inForce = bits;
    directive = DirectiveBits.tighter(bits, guard);
    return changed;
  }

  /** The directive of the control plane that is in force, without the bucket's guard. */
  long inForce() {
    return inForce;
  }

  /**
   * Has the bucket's guard, if it has one, look at what was offered.
   *
   * @param hold how long the guard acts before it takes what is offered for judged, in nanoseconds
   */
  void guard(LookTimes times, long hold) {
    double factor = surgeFactor;
    if (factor == RuleOptions.NO_GUARD) {
      if (surgeGuard != null) {
        surgeGuard = null;
        holdBack(DirectiveBits.NONE);
      }
      return;
    }
    SurgeGuard guard = surgeGuard;
    if (guard == null) {
      guard = new SurgeGuard(hold);
      surgeGuard = guard;
    }
    holdBack(guard.look(times, this, factor));
  }

  private void holdBack(long bits) {
    if (guard != bits) {
      guard = bits;
      directive = DirectiveBits.tighter(inForce, bits);
    }
  }
}
