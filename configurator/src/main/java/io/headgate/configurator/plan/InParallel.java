package io.headgate.configurator.plan;

import io.headgate.configurator.source.SourceException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleConsumer;

/** Several things at the same time that wait for rates; all results, or none. */
public final class InParallel {

  private InParallel() {}

  /**
   * What reads rates.
   *
   * @param <T> what it is about
   * @param <R> what it comes to
   */
  @FunctionalInterface
  public interface Reading<T, R> {
    /**
     * Comes to a result.
     *
     * @throws SourceException if a rate cannot be read
     */
    R of(T item) throws SourceException, InterruptedException;
  }

  /**
   * The results, in the order of the items.
   *
   * @param threads how many at the same time
   * @param progress is told how much is done, from 0 to 1
   * @throws SourceException if a rate cannot be read: of several that of the first item
   */
  public static <T, R> List<R> each(
      List<T> items, Reading<T, R> reading, int threads, DoubleConsumer progress)
      throws SourceException, InterruptedException {
    List<R> results = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<R>> pending = new ArrayList<>();
      for (T item : items) {
        pending.add(pool.submit(() -> reading.of(item)));
      }
      for (int i = 0; i < pending.size(); i++) {
        results.add(result(pending.get(i)));
        progress.accept((i + 1.0) / pending.size());
      }
    } finally {
      pool.shutdownNow();
    }
    return results;
  }

  private static <R> R result(Future<R> pending) throws SourceException, InterruptedException {
    try {
      return pending.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof SourceException source) {
        throw new SourceException(String.valueOf(source.getMessage()));
      }
      if (cause instanceof InterruptedException) {
        throw new InterruptedException("interrupted while a rate was read");
      }
      throw new IllegalStateException("a limit could not be computed", cause);
    }
  }
}
