package io.headgate.control.aggregator;

import io.headgate.core.shed.Directive;
import java.util.Arrays;

/** A directive for each bucket index, as its {@linkplain Directive#toBits() bits}. */
final class DirectiveTable {

  /** The bits of {@link Directive#NONE}. */
  static final long NONE = Directive.NONE.toBits();

  private long[] bits = new long[0];

  /** The bits of the directive of a bucket. */
  long get(int bucket) {
    return bucket < bits.length ? bits[bucket] : NONE;
  }

  void set(int bucket, long directive) {
    if (bucket >= bits.length) {
      if (directive == NONE) {
        return;
      }
      int filled = bits.length;
      bits = Arrays.copyOf(bits, Math.max(bucket + 1, 2 * filled));
      Arrays.fill(bits, filled, bits.length, NONE);
    }
    bits[bucket] = directive;
  }

  /** Leaves no directive. */
  void clear() {
    Arrays.fill(bits, NONE);
  }

  /** Every bucket that has a directive is below this. */
  int end() {
    return bits.length;
  }
}
