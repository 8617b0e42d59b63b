package io.headgate.control.aggregator;

import io.headgate.core.shed.Directive;
import java.util.Arrays;

/** A directive for each bucket index, as its {@linkplain Directive#toBits() bits}. */
final class DirectiveTable {

  /** The bits of {@link Directive#NONE}. */
  static final long NONE = Directive.NONE.toBits();

  /**
   * In place of bits: nobody has judged the bucket, so that nothing is known to be right for it.
   */
  static final long UNJUDGED = -1;

  private long[] bits = new long[0];

  /** The bits of the directive of a bucket, or {@link #UNJUDGED}. */
  long get(int bucket) {
    return bucket < bits.length ? bits[bucket] : UNJUDGED;
  }

  void set(int bucket, long directive) {
    if (bucket >= bits.length) {
      if (directive == UNJUDGED) {
        return;
      }
      int filled = bits.length;
      bits = Arrays.copyOf(bits, Math.max(bucket + 1, 2 * filled));
      Arrays.fill(bits, filled, bits.length, UNJUDGED);
    }
    bits[bucket] = directive;
  }

  /** Leaves all buckets unjudged. */
  void clear() {
    Arrays.fill(bits, UNJUDGED);
  }

  /** Every bucket that has been judged is below this. */
  int end() {
    return bits.length;
  }
}
