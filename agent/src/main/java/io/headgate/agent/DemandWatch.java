package io.headgate.agent;

/**
 * Looks at the buckets forty times a second for demand that has moved by more than noise explains
 * since it was reported last. This is how a step of demand is enforced in tenths of a second at the
 * traffic of about one report a second. Confined to the event loop.
 */
final class DemandWatch {

  /** The time between two looks. */
  static final long LOOK_NANOS = 25_000_000;

  /**
   * Urgent reports are at least this far from the report before; for all that, one may be a look
   * late.
   */
  private static final long LEAST_GAP_NANOS = 2 * LOOK_NANOS;

  /**
   * A look that comes this late shows that the process stood still: to collect garbage, or for want
   * of a processor. Calls stood still too, and come in a burst now. Neither is news.
   */
  static final long HELD_UP_NANOS = 2 * LOOK_NANOS;

  /** How long such a burst lasts. */
  static final long CATCH_UP_NANOS = 2 * LOOK_NANOS;

  /** News rests on few requests; it is followed by a report that rests on more. */
  private static final long CONFIRMATION_NANOS = 4 * LOOK_NANOS;

  private final Gates gates;
  private final LookTimes times = new LookTimes();
  private boolean unconfirmed;
  private boolean catchingUp;
  private long catchUpUntilNanos;

  DemandWatch(Gates gates) {
    this.gates = gates;
  }

  /**
   * Looks.
   *
   * @return whether there is news that is worth a report
   */
  boolean look(long nowNanos, long nanosSinceReport) {
    reviewCatchUp(nowNanos);
    times.add(nowNanos);
    boolean news = false;
    for (ServiceGates service : gates.services()) {
      for (Bucket bucket : service.buckets()) {
        news |= bucket.demand().look(times, bucket.offered(), nanosSinceReport, catchingUp);
      }
    }
    if (news && nanosSinceReport >= LEAST_GAP_NANOS) {
      unconfirmed = true;
      return true;
    }
    if (unconfirmed && nanosSinceReport >= CONFIRMATION_NANOS) {
      unconfirmed = false;
      return true;
    }
    return false;
  }

  private void reviewCatchUp(long nowNanos) {
    if (times.made() > 0 && nowNanos - times.nowNanos() > HELD_UP_NANOS) {
      catchingUp = true;
      catchUpUntilNanos = nowNanos + CATCH_UP_NANOS;
    } else if (catchingUp && nowNanos - catchUpUntilNanos >= 0) {
      catchingUp = false;
      times.beginAnew();
    }
  }

  /** Everything up to now is reported. */
  void reported() {
    times.reported();
  }
}
