package io.headgate.envoy.ratelimit.stats;

import java.util.concurrent.atomic.LongAdder;

/** What became of the hits of a limit. Each hit is in one of within, over and shadow. */
public final class DescriptorStats {

  private final String path;
  private final LongAdder total = new LongAdder();
  private final LongAdder within = new LongAdder();
  private final LongAdder near = new LongAdder();
  private final LongAdder over = new LongAdder();
  private final LongAdder shadow = new LongAdder();

  DescriptorStats(String path) {
    this.path = path;
  }

  /** The domain and the keys, with dots between them. */
  public String path() {
    return path;
  }

  /** All hits that met the limit. */
  public long total() {
    return total.sum();
  }

  /** Hits that the limit let pass. */
  public long within() {
    return within.sum();
  }

  /** Of the hits within it: those that came when most of it was used; see the near limit ratio. */
  public long near() {
    return near.sum();
  }

  /** Hits that the limit refused. */
  public long over() {
    return over.sum();
  }

  /** Hits that it would have refused, had it been enforced. */
  public long shadow() {
    return shadow.sum();
  }

  /**
   * Counts hits that passed.
   *
   * @param used how much of the limit is used now, these included
   * @param nearAbove above what use a hit is near the limit
   */
  public void passed(long hits, long used, long nearAbove) {
    total.add(hits);
    within.add(hits);
    long nearHits = Math.min(hits, used - nearAbove);
    if (nearHits > 0) {
      near.add(nearHits);
    }
  }

  /** Counts hits that were refused, or would have been. */
  public void refused(long hits, boolean inShadow) {
    total.add(hits);
    (inShadow ? shadow : over).add(hits);
  }
}
