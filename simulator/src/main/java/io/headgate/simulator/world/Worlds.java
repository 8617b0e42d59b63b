package io.headgate.simulator.world;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Worlds that run side by side on several threads, and yet always the same: a message from one to
 * another takes at least the latency of the network, so within a window of that length none of them
 * can notice what the others do (the bounded lag of Lubachevsky, "Efficient Distributed
 * Event-Driven Simulations of Multiple-Loop Networks", 1989). At the end of each window their
 * messages are exchanged, world after world.
 */
public final class Worlds implements AutoCloseable {

  private final Map<String, World> byPlace = new LinkedHashMap<>();
  private final List<World> all;
  private final long windowNanos;
  private final ExecutorService executor;
  private long nowNanos;

  /**
   * Worlds at time 0 in which all chance follows from {@code seed}.
   *
   * @param groups places that are in one world
   * @param windowNanos the least time that a message takes from one world to another; above 0
   */
  public Worlds(long seed, List<List<String>> groups, long windowNanos, int threads) {
    if (windowNanos <= 0) {
      throw new IllegalArgumentException("window: " + windowNanos + " ns (expected: above 0)");
    }
    this.windowNanos = windowNanos;
    RandomGenerator seeds = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    all = new ArrayList<>();
    for (List<String> group : groups) {
      World world = new World(seeds.nextLong());
      all.add(world);
      group.forEach(place -> byPlace.put(place, world));
    }
    executor = Executors.newFixedThreadPool(threads);
  }

  /** The world in which a place is. */
  public World of(String place) {
    World world = byPlace.get(place);
    if (world == null) {
      throw new IllegalArgumentException(
          "place: '" + place + "' (expected: one of " + byPlace.keySet() + ")");
    }
    return world;
  }

  /** All of them. */
  public List<World> all() {
    return all;
  }

  /**
   * Lets events happen up to and including {@code untilNanos}.
   *
   * @param sideBySide whether on several threads: not while nodes connect, because the two ends of
   *     a stream come to know one another then
   */
  public void runUntil(long untilNanos, boolean sideBySide) {
    while (nowNanos < untilNanos) {
      long end = Math.min(untilNanos, nowNanos + windowNanos);
      if (sideBySide) {
        runSideBySide(end);
      } else {
        all.forEach(world -> world.runUntil(end));
      }
      all.forEach(World::deliver);
      nowNanos = end;
    }
  }

  private void runSideBySide(long endNanos) {
    List<Callable<Void>> runs = new ArrayList<>();
    for (World world : all) {
      runs.add(
          () -> {
            world.runUntil(endNanos);
            return null;
          });
    }
    try {
      for (Future<Void> run : executor.invokeAll(runs)) {
        run.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a world broke down: " + e.getCause(), e.getCause());
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
