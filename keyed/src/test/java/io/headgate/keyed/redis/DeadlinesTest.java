package io.headgate.keyed.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DeadlinesTest {

  private static final long MS = 1_000_000;

  private long now;
  private final Deadlines deadlines = new Deadlines(Duration.ofMillis(50), () -> now);

  @Test
  void whatIsLateFailsAndWhatCameInTimeDoesNot() {
    CompletableFuture<String> done = new CompletableFuture<>();
    CompletableFuture<String> late = new CompletableFuture<>();
    CompletableFuture<String> young = new CompletableFuture<>();
    deadlines.watch(done);
    deadlines.watch(late);
    now += 30 * MS;
    deadlines.watch(young);
    done.complete("answer");
    now += 20 * MS;

    deadlines.sweep();

    assertThat(done).isCompletedWithValue("answer");
    assertThat(late).isCompletedExceptionally();
    assertThat(young).isNotDone();
  }
}
