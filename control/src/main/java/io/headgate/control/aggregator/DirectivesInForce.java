package io.headgate.control.aggregator;

import io.headgate.core.shed.Directive;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The directives that are handed down, and until when they hold. They outlive the controller that
 * they came from by what is left of their time to live, and no tier makes that longer.
 *
 * <p>A bucket that no controller has judged is another thing than one that was judged to need no
 * directive: agents may hold a directive for it from another aggregator or from this one before its
 * restart, and keep it until somebody knows better.
 */
final class DirectivesInForce {

  private final DirectiveTable directives = new DirectiveTable();
  private int[] changedIn = new int[0];
  private int changes;
  private boolean held;
  private long untilNanos;

  /** A bucket's directive; none if it has not been judged. */
  Directive directive(int bucket) {
    return isJudged(bucket) ? Directive.fromBits(directives.get(bucket)) : Directive.NONE;
  }

  /** Whether what is in force for a bucket is known to be right. */
  boolean isJudged(int bucket) {
    return directives.get(bucket) != DirectiveTable.UNJUDGED;
  }

  /** Whether a bucket's directive is new by the last {@link #replace} or {@link #settle}. */
  boolean isChanged(int bucket) {
    return bucket < changedIn.length && changedIn[bucket] == changes;
  }

  /**
   * Puts a controller's directives in force. What it has not judged stays as it is.
   *
   * @return whether any bucket has another one now
   */
  boolean replace(DirectiveTable others, long untilNanos) {
    this.untilNanos = untilNanos;
    held = true;
    changes++;
    boolean changed = false;
    for (int bucket = 0; bucket < others.end(); bucket++) {
      long directive = others.get(bucket);
      if (directive != DirectiveTable.UNJUDGED && directives.get(bucket) != directive) {
        change(bucket, directive);
        changed = true;
      }
    }
    return changed;
  }

  /**
   * Lets unjudged buckets have no directive where there is nothing to judge: no controller will
   * hear of them.
   *
   * @param idle the buckets of which that is true
   * @param end every bucket is below this
   * @return whether there were any
   */
  boolean settle(IntPredicate idle, int end) {
    changes++;
    boolean changed = false;
    for (int bucket = 0; held && bucket < end; bucket++) {
      if (!isJudged(bucket) && idle.test(bucket)) {
        change(bucket, DirectiveTable.NONE);
        changed = true;
      }
    }
    return changed;
  }

  /** Whether a controller's directives are in force, even if these are none for every bucket. */
  boolean isHeld() {
    return held;
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
    directives.set(bucket, DirectiveTable.UNJUDGED);
  }

  private void change(int bucket, long directive) {
    directives.set(bucket, directive);
    if (bucket >= changedIn.length) {
      changedIn = Arrays.copyOf(changedIn, Math.max(bucket + 1, directives.end()));
    }
    changedIn[bucket] = changes;
  }
}
