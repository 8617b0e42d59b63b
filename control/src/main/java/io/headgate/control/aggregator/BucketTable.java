package io.headgate.control.aggregator;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The buckets that this aggregator knows, each with a small index that is the same for all streams.
 * An index is used again once nothing refers to it.
 */
final class BucketTable {

  /** No bucket. */
  static final int NONE = -1;

  private static final int FIRST_CAPACITY = 64;

  private final int max;
  private final RuleTallies tallies;
  private final Map<BucketKey, Integer> indexes = new HashMap<>();
  private RuleSet ruleSet = RuleSet.NONE;

  private @Nullable BucketKey[] keys = new BucketKey[FIRST_CAPACITY];
  private @Nullable Rule[] rules = new Rule[FIRST_CAPACITY];
  private @Nullable RuleTally[] tallyOf = new RuleTally[FIRST_CAPACITY];
  private int[] holders = new int[FIRST_CAPACITY];
  private int[] free = new int[FIRST_CAPACITY];
  private final BitSet asked = new BitSet();
  private int freed;
  private int end;

  /**
   * An empty table.
   *
   * @param max how many buckets it takes
   */
  BucketTable(int max, RuleTallies tallies) {
    this.max = max;
    this.tallies = tallies;
  }

  /**
   * The index of a bucket, which stays its own until it is {@linkplain #release released} as often
   * as it was asked for; {@link #NONE} if there is no room.
   */
  int hold(BucketKey key) {
    Integer known = indexes.get(key);
    int index = known != null ? known : add(key);
    if (index != NONE) {
      holders[index]++;
    }
    return index;
  }

  /** Ends one {@link #hold}. */
  void release(int index) {
    holders[index]--;
  }

  /** A client wants to know what is in force for a bucket; for {@link #NONE} nothing is noted. */
  void ask(int index) {
    if (index != NONE) {
      asked.set(index);
    }
  }

  /** Whether controllers are to hear of a bucket, be there demand or not. */
  boolean isAsked(int index) {
    return asked.get(index) && rules[index] != null;
  }

  /** Every index is below this. */
  int end() {
    return end;
  }

  /** How many buckets there are. */
  int size() {
    return indexes.size();
  }

  BucketKey key(int index) {
    BucketKey key = keys[index];
    if (key == null) {
      throw new IllegalArgumentException("index: " + index + " (expected: one in use)");
    }
    return key;
  }

  /** The rule in force that the bucket belongs to, or null if there is none. */
  @Nullable Rule rule(int index) {
    return rules[index];
  }

  /** Where the counts of the bucket's rule add up, or null if no rule in force is about it. */
  @Nullable RuleTally tally(int index) {
    return tallyOf[index];
  }

  /** Other rules are in force now. */
  void rules(RuleSet ruleSet) {
    this.ruleSet = ruleSet;
    for (int index = 0; index < end; index++) {
      resolve(index);
    }
  }

  /**
   * Forgets the buckets that no stream holds and nothing else needs.
   *
   * @param needed whether a bucket has a rate or a directive
   * @param forgotten told of each index that is free from now on
   */
  void sweep(IntPredicate needed, IntConsumer forgotten) {
    for (int index = 0; index < end; index++) {
      BucketKey key = keys[index];
      if (key != null && holders[index] == 0 && !needed.test(index)) {
        indexes.remove(key);
        keys[index] = null;
        rules[index] = null;
        tallyOf[index] = null;
        free[freed++] = index;
        asked.clear(index);
        forgotten.accept(index);
      }
    }
  }

  private int add(BucketKey key) {
    if (indexes.size() >= max) {
      return NONE;
    }
    if (freed == 0 && end == keys.length) {
      grow();
    }
    int index = freed > 0 ? free[--freed] : end++;
    keys[index] = key;
    indexes.put(key, index);
    resolve(index);
    return index;
  }

  private void resolve(int index) {
    BucketKey key = keys[index];
    if (key == null) {
      return;
    }
    Rule rule = ruleSet.rule(key.service(), key.rule());
    boolean fits = rule != null && fits(rule, key);
    rules[index] = fits ? rule : null;
    tallyOf[index] = fits ? tallies.of(key.service(), key.rule()) : null;
  }

  /** A rule that used to be per caller or procedure may be so no more; then its parts are gone. */
  private static boolean fits(Rule rule, BucketKey key) {
    return (rule.perCaller() || key.caller().isEmpty())
        && (rule.perProcedure() || key.procedure().isEmpty());
  }

  private void grow() {
    int capacity = (int) Math.min(max, 2L * keys.length);
    keys = Arrays.copyOf(keys, capacity);
    rules = Arrays.copyOf(rules, capacity);
    tallyOf = Arrays.copyOf(tallyOf, capacity);
    holders = Arrays.copyOf(holders, capacity);
    free = Arrays.copyOf(free, capacity);
  }
}
