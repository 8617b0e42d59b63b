package io.headgate.agent;

import io.headgate.core.shed.Directive;
import io.headgate.core.shed.Level;

/**
 * A directive as gates read it: one long, so that it is read and replaced at once.
 *
 * <p>The lower 40 bits are those of {@link Directive#toBits()}. The upper 24 bits are the share of
 * requests <i>above</i> the directive's level that pass, in units of 2<sup>-24</sup>. It is zero
 * but for directives that are being released: these let every level go at the same pace.
 */
final class DirectiveBits {

  /** Everything passes. */
  static final long NONE = Directive.NONE.toBits();

  private static final int RELEASE_BITS = 24;
  private static final int RELEASE_SHIFT = 64 - RELEASE_BITS;
  private static final long RELEASE_MAX = (1L << RELEASE_BITS) - 1;
  private static final long DIRECTIVE_MASK = (1L << RELEASE_SHIFT) - 1;
  private static final long ACCEPT_MASK = 0xFFFF_FFFFL;
  private static final int LEVEL_MASK = 0xFF;

  /** By this share of the greater accept ratio directives are much different. */
  private static final double MUCH = 0.1;

  private DirectiveBits() {}

  /** The level below which everything passes. */
  static int level(long bits) {
    return (int) (bits >>> Integer.SIZE) & LEVEL_MASK;
  }

  /** The accept threshold, from 0 to 2<sup>32</sup> - 1, at a level that is not below the bits'. */
  static long accept(long bits, int level) {
    return level == level(bits)
        ? bits & ACCEPT_MASK
        : (bits >>> RELEASE_SHIFT) << (Integer.SIZE - RELEASE_BITS);
  }

  /**
   * The directive with its drop ratio, at each level, brought down by a share.
   *
   * @param released from 0 (in full force) to 1 (gone)
   */
  static long released(long bits, double released) {
    if (released <= 0) {
      return bits;
    }
    if (released >= 1 || bits == NONE) {
      return NONE;
    }
    Directive directive = directive(bits);
    if (directive.isInUse()) {
      return bits;
    }
    double ratio = directive.acceptRatio();
    long above = Math.min(RELEASE_MAX, Math.round(released * (1L << RELEASE_BITS)));
    return new Directive(directive.level(), Directive.accept(ratio + released * (1 - ratio)))
            .toBits()
        | above << RELEASE_SHIFT;
  }

  /** The one of two directives that passes less. */
  static long tighter(long bits, long others) {
    return (others & DIRECTIVE_MASK) < (bits & DIRECTIVE_MASK) ? others : bits;
  }

  /** The share of requests at {@code level} that pass, from 0 to 1. */
  static double acceptRatio(long bits, int level) {
    return 1 - dropRatio(bits, level);
  }

  /** The part of the limit that is in use, or 0 where that is not known. */
  static double inUse(long bits) {
    Directive directive = directive(bits);
    return directive.isInUse() ? directive.acceptRatio() : 0;
  }

  /** Whether two directives differ by so much that demand must have moved, not only its noise. */
  static boolean isMuchDifferent(long bits, long others) {
    if (level(bits) >= Level.COUNT && level(others) >= Level.COUNT) {
      return false; // neither drops anything
    }
    double accept = level(bits) == level(others) ? bits & ACCEPT_MASK : -1;
    double other = others & ACCEPT_MASK;
    return Math.abs(other - accept) > MUCH * Math.max(accept, other);
  }

  /** The share of requests at {@code level} that are dropped, from 0 to 1. */
  static double dropRatio(long bits, int level) {
    return level < level(bits) ? 0 : 1 - accept(bits, level) / (double) (1L << Integer.SIZE);
  }

  private static Directive directive(long bits) {
    return Directive.fromBits(bits & DIRECTIVE_MASK);
  }
}
