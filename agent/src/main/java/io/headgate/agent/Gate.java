package io.headgate.agent;

import io.headgate.core.shed.Level;
import java.util.function.LongSupplier;

/**
 * Judges the calls of one procedure of a service by one caller. Ask {@link HeadgateAgent#gate} for
 * it once and keep it: it stays valid for the agent's life, whatever becomes of the rules.
 *
 * <p>Judging is wait-free but for the counters' striping; it allocates nothing, takes no lock,
 * reads no clock and does no I/O. Any number of threads may judge at once.
 */
public final class Gate {

  private static final Bucket[] NO_BUCKETS = {};

  /** In place of a class: the request carries none. */
  private static final int NO_CLASS = -1;

  private final String service;
  private final String caller;
  private final String procedure;
  private final boolean overflow;
  private final LongSupplier draws;

  /** In the order in which a request meets them. Never changed, only replaced. */
  private volatile Bucket[] chain = NO_BUCKETS;

  Gate(String service, String caller, String procedure, boolean overflow, LongSupplier draws) {
    this.service = service;
    this.caller = caller;
    this.procedure = procedure;
    this.overflow = overflow;
    this.draws = draws;
  }

  /** Judges a first attempt that carries no criticality. */
  public Verdict judge() {
    return judgeAt(NO_CLASS, false);
  }

  /**
   * Judges a request, and counts it.
   *
   * @param criticality from 0 (most critical) to 5; -1 where the request carries none, which each
   *     rule counts as its own {@code criticality}, as it does any number out of range
   * @param retry whether it is not the first attempt
   * @return {@link Verdict#ADMITTED}, or the verdict of the rule that dropped it
   */
  public Verdict judge(int criticality, boolean retry) {
    boolean known = criticality >= 0 && criticality < Level.CLASSES;
    return judgeAt(known ? criticality : NO_CLASS, retry);
  }

  /**
   * One draw is held against a threshold that each bucket narrows. A draw that has survived the
   * buckets before is uniform below their threshold, so each bucket drops its share of survivors.
   *
   * <p>The outcome of a draw cannot be predicted, and a processor that bets on it wrongly loses as
   * much time as all the rest takes. So outcomes choose between values wherever they can, and
   * decide where to go on only where another bucket follows.
   */
  private Verdict judgeAt(int criticality, boolean retry) {
    Bucket[] buckets = chain;
    int last = buckets.length - 1;
    long threshold = Long.MAX_VALUE;
    long draw = -1;
    for (int i = 0; i <= last; i++) {
      Bucket bucket = buckets[i];
      int level = Level.of(criticality == NO_CLASS ? bucket.defaultClass() : criticality, retry);
      long directive = bucket.directive();
      LevelCounts counts = bucket.counts(level);
      if (level < DirectiveBits.level(directive)) {
        counts.addAdmitted();
        continue;
      }
      long accept = DirectiveBits.accept(directive, level);
      // What nothing of passes needs no draw, and must not use up one of an even sequence.
      if (draw < 0 && accept != 0) {
        draw = bucket.draw(draws.getAsLong());
      }
      long narrowed = narrow(threshold, accept);
      boolean passes = accept != 0 && draw < narrowed;
      Verdict dropVerdict = bucket.dropVerdict();
      if (dropVerdict.admitted()) {
        counts.addInShadow(passes);
        continue;
      }
      counts.add(passes);
      if (i == last) {
        return passes ? Verdict.ADMITTED : dropVerdict;
      }
      if (!passes) {
        return dropVerdict;
      }
      threshold = narrowed;
    }
    return Verdict.ADMITTED;
  }

  /** {@code threshold * accept / 2^32}, to within 2<sup>-62</sup> of the whole. */
  private static long narrow(long threshold, long accept) {
    return Math.multiplyHigh(threshold, accept << 31) << 1;
  }

  /** The service that is called. */
  public String service() {
    return service;
  }

  /** Who calls; for an {@linkplain #isOverflow overflow gate} the pattern that stands for it. */
  public String caller() {
    return caller;
  }

  /**
   * What is called; for an {@linkplain #isOverflow overflow gate} the pattern that stands for it.
   */
  public String procedure() {
    return procedure;
  }

  /**
   * Whether this gate stands for all pairs beyond the agent's bound that match the same patterns.
   * It can be judged by at any time, but do not keep it: after a change of rules another one may be
   * the right one for the pair.
   */
  public boolean isOverflow() {
    return overflow;
  }

  /** The buckets that judge this gate's requests, in order. Not to be changed. */
  Bucket[] chain() {
    return chain;
  }

  void setChain(Bucket[] chain) {
    this.chain = chain;
  }
}
