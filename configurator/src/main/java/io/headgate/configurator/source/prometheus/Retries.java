package io.headgate.configurator.source.prometheus;

import io.headgate.configurator.source.SourceException;
import java.util.concurrent.Callable;
import java.util.function.DoubleSupplier;

/**
 * Tries again what may go better later: 250 ms, 500 ms, 1 s and so on up to 30 s, each time half of
 * it by chance, so that many who failed together do not come back together. A server that says when
 * to come back is obeyed, up to a minute.
 */
final class Retries {

  private static final long FIRST_MILLIS = 250;
  private static final long MOST_MILLIS = 30_000;
  private static final long MOST_ASKED_MILLIS = 60_000;

  /** Lets time pass. */
  interface Pause {
    void millis(long millis) throws InterruptedException;
  }

  private final int attempts;
  private final Pause pause;
  private final DoubleSupplier chance;

  /**
   * @param attempts how often to try, 1 or more
   * @param chance gives numbers from 0 to 1
   */
  Retries(int attempts, Pause pause, DoubleSupplier chance) {
    this.attempts = attempts;
    this.pause = pause;
    this.chance = chance;
  }

  /** Something that may be tried again. */
  interface Attempt<T> extends Callable<T> {
    @Override
    T call() throws TransientException, SourceException, InterruptedException;
  }

  <T> T run(Attempt<T> attempt) throws SourceException, InterruptedException {
    for (int failed = 1; ; failed++) {
      try {
        return attempt.call();
      } catch (TransientException e) {
        if (failed == attempts) {
          throw new SourceException(e.getMessage() + "; tried " + times(attempts));
        }
        pause.millis(wait(failed, e.retryAfterMillis()));
      }
    }
  }

  private long wait(int failed, long askedMillis) {
    long backoff = Math.min(MOST_MILLIS, FIRST_MILLIS << Math.min(failed - 1, 20));
    long random = Math.round(backoff / 2.0 * (1 + chance.getAsDouble()));
    return Math.max(random, Math.min(askedMillis, MOST_ASKED_MILLIS));
  }

  private static String times(int attempts) {
    return attempts == 1 ? "once" : attempts + " times";
  }
}
