package io.headgate.configurator.plan;

import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.source.SourceException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** Does something with many limits, some of them at the same time; all of them or none. */
public final class LimitTasks {

  /** Most of the time of a run is spent waiting for the source. */
  private static final int THREADS_PER_PROCESSOR = 2;

  private final int threads;

  /**
   * @param threads how many at the same time, 1 or more
   */
  public LimitTasks(int threads) {
    this.threads = threads;
  }

  /** How many limits to work on at the same time on this machine. */
  public static int usualThreads() {
    return THREADS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
  }

  /** Something to do with one limit. */
  public interface Task<T> {

    /** Returns null if there is nothing to say of it. */
    @Nullable T about(LimitKey limit) throws SourceException, InterruptedException;
  }

  /**
   * What there is to say of each limit, in their order.
   *
   * @param progress is told how much is done, from 0 to 1
   * @throws SourceException if a rate cannot be read
   */
  public <T> List<T> results(List<LimitKey> limits, Task<T> task, DoubleConsumer progress)
      throws SourceException, InterruptedException {
    List<T> results = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<@Nullable T>> pending = new ArrayList<>();
      for (LimitKey limit : limits) {
        pending.add(pool.submit(() -> task.about(limit)));
      }
      for (int i = 0; i < pending.size(); i++) {
        T result = result(pending.get(i));
        if (result != null) {
          results.add(result);
        }
        progress.accept((i + 1.0) / pending.size());
      }
    } finally {
      pool.shutdownNow();
    }
    return results;
  }

  private static <T> @Nullable T result(Future<@Nullable T> pending)
      throws SourceException, InterruptedException {
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
