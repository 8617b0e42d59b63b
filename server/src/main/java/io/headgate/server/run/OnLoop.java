package io.headgate.server.run;

import io.headgate.core.time.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Asks a state machine something from another thread. */
final class OnLoop {

  /** A loop that does not answer within this time is taken to be stuck. */
  static final long TIMEOUT_SECONDS = 5;

  private OnLoop() {}

  /** What {@code question} answers on the loop, or a timeout. */
  static <T> CompletableFuture<T> call(EventLoop loop, Supplier<T> question) {
    return CompletableFuture.supplyAsync(question, loop::execute)
        .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }
}
