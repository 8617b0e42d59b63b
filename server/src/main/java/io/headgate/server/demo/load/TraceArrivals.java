package io.headgate.server.demo.load;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Calls at the times of a trace, replayed at some speed, from its beginning again once it is over.
 * Each is a call of one of the flows, drawn by their usual rates; their profiles do not count.
 */
public final class TraceArrivals implements Arrivals {

  private static final double NANOS_PER_SECOND = 1e9;

  private final long[] nanos;
  private final double speed;
  private final List<Flow> flows;
  private final double[] upTo;
  private final RandomGenerator random;

  private int next;
  private double roundBegan;

  /**
   * Nothing has arrived yet.
   *
   * @param speed how much faster than recorded, above 0
   */
  public TraceArrivals(Trace trace, double speed, List<Flow> flows, RandomGenerator random) {
    this.nanos = trace.nanos();
    this.speed = speed;
    this.flows = List.copyOf(flows);
    this.random = random;
    upTo = new double[flows.size()];
    double sum = 0;
    for (int i = 0; i < upTo.length; i++) {
      sum += flows.get(i).perSecond();
      upTo[i] = sum;
    }
  }

  @Override
  public void advanceTo(double elapsedSeconds) {
    while (roundBegan + nanos[next] / NANOS_PER_SECOND / speed <= elapsedSeconds) {
      pick().call().run();
      next++;
      if (next == nanos.length) {
        // The last request of a round is the first of the next, so that the rate stays the same.
        roundBegan += nanos[next - 1] / NANOS_PER_SECOND / speed;
        next = 1;
      }
    }
  }

  private Flow pick() {
    double draw = random.nextDouble() * upTo[upTo.length - 1];
    int chosen = 0;
    while (upTo[chosen] <= draw) {
      chosen++;
    }
    return flows.get(chosen);
  }
}
