package io.headgate.control.aggregator;

import java.util.Arrays;

/**
 * The directives that are handed down, and until when they hold. They outlive the controller that
 * they came from by what is left of their time to live, and no tier makes that longer.
 */
final class DirectivesInForce {

  private final DirectiveTable directives = new DirectiveTable();
  private int[] changedIn = new int[0];
  private int changes;
  private boolean held;
  private long untilNanos;

  /** The {@linkplain io.headgate.core.shed.Directive#toBits() bits} of a bucket's directive. */
  long get(int bucket) {
    return directives.get(bucket);
  }

  /** Whether a bucket's directive is new by the last {@link #replace}. */
  boolean isChanged(int bucket) {
    return bucket < changedIn.length && changedIn[bucket] == changes;
  }

  /** What a {@link #replace} means for the agents. */
  enum Change {
    /** Nothing. */
    NONE,
    /** Some buckets have {@linkplain #isChanged other} directives. */
    SOME,
    /** What agents hold may be anything, because there were no directives before. */
    ALL
  }

  /** Puts a controller's directives in force. */
  Change replace(DirectiveTable others, long untilNanos) {
    boolean first = !held;
    renew(untilNanos);
    changes++;
    boolean changed = false;
    int end = Math.max(directives.end(), others.end());
    for (int bucket = 0; bucket < end; bucket++) {
      long directive = others.get(bucket);
      if (directives.get(bucket) != directive) {
        directives.set(bucket, directive);
        mark(bucket);
        changed = true;
      }
    }
    if (first) {
      return Change.ALL;
    }
    return changed ? Change.SOME : Change.NONE;
  }

  /** Whether a controller's directives are in force, even if these are none for every bucket. */
  boolean isHeld() {
    return held;
  }

  /** Lets the directives in force hold until then. */
  void renew(long untilNanos) {
    this.untilNanos = untilNanos;
    held = true;
  }

  /**
   * Forgets the directives if their time is over. Agents are not told: theirs run out by themselves
   * at the same time, and are released step by step.
   */
  void expire(long nowNanos) {
    if (held && untilNanos - nowNanos <= 0) {
      held = false;
      changes++;
      directives.clear();
    }
  }

  /** How long the directives in force still hold, in milliseconds rounded down; 0 if not at all. */
  int ttlMillis(long nowNanos) {
    return held ? (int) Math.max(0, (untilNanos - nowNanos) / 1_000_000) : 0;
  }

  /** The bucket's index is about to mean another bucket. */
  void forget(int bucket) {
    directives.set(bucket, DirectiveTable.NONE);
  }

  private void mark(int bucket) {
    if (bucket >= changedIn.length) {
      changedIn = Arrays.copyOf(changedIn, Math.max(bucket + 1, directives.end()));
    }
    changedIn[bucket] = changes;
  }
}
