package io.headgate.benchmarks.judge;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * How fast a limiter is asked. Limiters that hold a rate can only be made to drop a share of the
 * requests by a limit that follows from the pace at which they are asked, which is known after the
 * first iteration; warm-up settles it.
 */
@State(Scope.Benchmark)
public class Pace {

  /** What is dropped where something is dropped. */
  static final double DROP_SHARE = 1.0 / 3;

  private static final double FIRST_GUESS_PER_SECOND = 10e6;

  private final LongAdder requests = new LongAdder();
  private long startedNanos;
  private double perSecond = FIRST_GUESS_PER_SECOND;

  /** Takes the pace of the iteration before and begins anew. */
  @Setup(Level.Iteration)
  public void begin() {
    long now = System.nanoTime();
    long asked = requests.sumThenReset();
    if (asked > 0) {
      perSecond = asked * (double) TimeUnit.SECONDS.toNanos(1) / (now - startedNanos);
    }
    startedNanos = now;
  }

  void add(long asked) {
    requests.add(asked);
  }

  /** The limit that drops {@link #DROP_SHARE} of what was asked in the iteration before. */
  double limitPerSecond() {
    return perSecond * (1 - DROP_SHARE);
  }
}
