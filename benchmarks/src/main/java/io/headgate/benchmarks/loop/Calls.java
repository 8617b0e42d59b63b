package io.headgate.benchmarks.loop;

import io.headgate.agent.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/** Calls that gates are asked to judge: Poisson streams, from one thread. */
final class Calls implements AutoCloseable {

  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** After a longer pause of the machine there is no making up for it. */
  private static final double MOST_SECONDS = 1;

  /** The calls of one gate; their rate may change at any time. */
  private record Stream(Gate gate, DoubleSupplier perSecond) {}

  private final List<Stream> streams = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(2);
  private final Thread thread = new Thread(this::run, "calls");
  private volatile boolean over;

  /** Adds a stream. Call it before {@link #start}. */
  void add(Gate gate, DoubleSupplier perSecond) {
    streams.add(new Stream(gate, perSecond));
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    over = true;
    thread.interrupt();
  }

  private void run() {
    long last = System.nanoTime();
    try {
      while (!over) {
        TimeUnit.NANOSECONDS.sleep(TICK_NANOS - (System.nanoTime() - last));
        long now = System.nanoTime();
        double seconds = Math.min(MOST_SECONDS, (now - last) / NANOS_PER_SECOND);
        last = now;
        for (Stream stream : streams) {
          judge(stream.gate, poisson(stream.perSecond.getAsDouble() * seconds));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closed in its sleep.
    }
  }

  @SuppressWarnings("ReturnValueIgnored") // Being counted is all that these calls are for.
  private static void judge(Gate gate, int times) {
    for (int i = 0; i < times; i++) {
      gate.judge();
    }
  }

  /** Knuth's way: fast for the small means of a short tick. */
  private int poisson(double mean) {
    double floor = Math.exp(-mean);
    double product = random.nextDouble();
    int count = 0;
    while (product > floor) {
      product *= random.nextDouble();
      count++;
    }
    return count;
  }
}
