package io.headgate.core.limit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Concurrent decisions answer as if they had come one after the other. */
@Tag("process") // takes long, as it goes through many interleavings
class LinearizabilityTest {

  private static final Duration TEN_NANOS = Duration.ofNanos(10);

  /** Operations on a limiter at a time that stands still, so that only their order matters. */
  abstract static class Operations {

    private static final long NOW = 7;
    private final Limiter limiter;

    Operations(Limit limit) {
      limiter = limit.newLimiter(0);
    }

    @Operation
    public long takeOne() {
      return limiter.take(1, NOW);
    }

    @Operation
    public long takeTwo() {
      return limiter.take(2, NOW);
    }

    @Operation
    public long probe() {
      return limiter.take(0, NOW);
    }

    @Operation
    public long available() {
      return limiter.available(NOW);
    }

    @Operation
    public long retire() {
      return limiter.retire(NOW);
    }
  }

  public static class ArrivalOperations extends Operations {
    public ArrivalOperations() {
      super(TokenBucket.of(3, 3, TEN_NANOS));
    }
  }

  public static class FlowOperations extends Operations {
    public FlowOperations() {
      super(TokenBucket.of(3, 17, TEN_NANOS));
    }
  }

  public static class FixedWindowOperations extends Operations {
    public FixedWindowOperations() {
      super(new FixedWindow(3, TEN_NANOS));
    }
  }

  public static class LogOperations extends Operations {
    public LogOperations() {
      super(new SlidingLog(3, TEN_NANOS));
    }
  }

  public static class ConcurrencyOperations {

    private final ConcurrencyLimiter limiter = new ConcurrencyLimiter(2);
    private final ConcurrencyLimiter.Permits held = limiter.tryAcquire(1);

    @Operation
    public boolean take() {
      return limiter.tryTake(1);
    }

    @Operation
    public boolean takeTwo() {
      return limiter.tryTake(2);
    }

    /** By one holder: a second holder's close may return while the first is still giving back. */
    @Operation(nonParallelGroup = "holder")
    public void release() {
      held.close();
    }

    @Operation
    public long available() {
      return limiter.available();
    }
  }

  /** A request for two limits, and requests for each of them. */
  public static class JointOperations {

    private static final long NOW = 7;
    private final Limiter first = TokenBucket.of(3, 3, TEN_NANOS).newLimiter(0);
    private final Limiter second = TokenBucket.of(2, 3, TEN_NANOS).newLimiter(0);

    @Operation
    public boolean takeBoth() {
      return JointDecision.acquire(
              List.of(
                  new JointDecision.Wish(first, 2, true), new JointDecision.Wish(second, 1, true)),
              NOW)
          .stream()
          .allMatch(Decision::allowed);
    }

    @Operation
    public boolean takeFirst() {
      return first.tryAcquire(1, NOW);
    }

    @Operation
    public boolean takeSecond() {
      return second.tryAcquire(1, NOW);
    }

    @Operation
    public long probeFirst() {
      return first.take(0, NOW);
    }
  }

  /** One permit is left of the whole, and each of three partitions has room for it. */
  public static class PartitionOperations {

    private final PartitionedConcurrencyLimiter limiter =
        new PartitionedConcurrencyLimiter(10, Map.of("a", 10L, "b", 10L, "c", 10L));

    public PartitionOperations() {
      limiter.tryAcquire("a", 3);
      limiter.tryAcquire("b", 3);
      limiter.tryAcquire("c", 3);
    }

    @Operation
    public boolean first() {
      return limiter.tryAcquire("a", 1) != null;
    }

    @Operation
    public boolean second() {
      return limiter.tryAcquire("b", 1) != null;
    }

    @Operation
    public boolean third() {
      return limiter.tryAcquire("c", 1) != null;
    }
  }

  @Test
  void oneWordOfFlow() {
    modelCheck(ArrivalOperations.class);
  }

  @Test
  void concurrency() {
    modelCheck(ConcurrencyOperations.class);
  }

  @Test
  void ofThePartitionsThatWantTheLastPermitExactlyOneGetsIt() {
    modelCheck(PartitionOperations.class);
  }

  @Test
  void severalLimitsAtOnce() {
    stress(JointOperations.class);
  }

  @Test
  void wideFlow() {
    stress(FlowOperations.class);
  }

  @Test
  void fixedWindow() {
    stress(FixedWindowOperations.class);
  }

  @Test
  void log() {
    stress(LogOperations.class);
  }

  private static void modelCheck(Class<?> operations) {
    LinChecker.check(
        operations,
        new ModelCheckingOptions()
            .iterations(3)
            .invocationsPerIteration(200)
            .threads(3)
            .actorsPerThread(2)
            .actorsBefore(0)
            .actorsAfter(1));
  }

  /**
   * Under a lock every interleaving is the same; what can go wrong is the lock, on real threads.
   */
  private static void stress(Class<?> operations) {
    LinChecker.check(
        operations,
        new StressOptions()
            .iterations(3)
            .invocationsPerIteration(500)
            .threads(2)
            .actorsPerThread(3)
            .actorsBefore(0)
            .actorsAfter(1));
  }
}
