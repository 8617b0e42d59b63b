package io.headgate.core.limit;

/**
 * A constant flow of permits whose numbers are too large for {@link ArrivalLimiter}: whole permits
 * and the fraction of the next, exact for any rate.
 */
final class FlowLimiter extends LockedLimiter {

  private final Flow flow;
  private long last;
  private long whole;

  /** How much of the next permit is there, in parts of {@code 1/flow.nanos()}; 0 if full. */
  private long fraction;

  FlowLimiter(Limit limit, Flow flow, long initial, long nowNanos) {
    super(limit);
    this.flow = flow;
    last = nowNanos;
    whole = initial;
  }

  @Override
  void inherit(Limiter predecessor, long remaining, long nowNanos) {
    whole = remaining;
    fraction = 0;
  }

  @Override
  void advance(long nowNanos) {
    long elapsed = nowNanos - last;
    if (elapsed <= 0) {
      return;
    }
    last = nowNanos;
    long come = WideMath.multiplyAddDivide(elapsed, flow.permits(), fraction, flow.nanos());
    if (come >= flow.capacity() - whole) {
      whole = flow.capacity();
      fraction = 0;
    } else {
      whole += come;
      // Each product may wrap around; their difference is the remainder, which does not.
      fraction = elapsed * flow.permits() + fraction - come * flow.nanos();
    }
  }

  @Override
  long left() {
    return whole;
  }

  @Override
  void charge(long cost) {
    whole -= cost;
  }

  @Override
  boolean uncharge(long permits, long takenAtNanos) {
    if (permits >= flow.capacity() - whole) {
      whole = flow.capacity();
      fraction = 0;
    } else {
      whole += permits;
    }
    return true;
  }

  @Override
  void forgive(long permits) {
    uncharge(permits, last);
  }

  @Override
  long wait(long cost, long nowNanos) {
    return WideMath.saturatedAdd(last - nowNanos, untilThere(cost));
  }

  @Override
  long full() {
    return whole == flow.capacity()
        ? last
        : WideMath.saturatedAdd(last, untilThere(flow.capacity()));
  }

  private long untilThere(long permits) {
    long roundUp = flow.permits() - 1;
    return WideMath.multiplyAddDivide(
        permits - whole - 1, flow.nanos(), flow.nanos() - fraction + roundUp, flow.permits());
  }
}
