package io.headgate.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.limit.QueueOrder;
import io.headgate.core.limit.SlidingLog;
import io.headgate.keyed.local.LocalKeyedLimiter;
import io.headgate.keyed.servlet.KeySource;
import io.headgate.keyed.servlet.KeyedLimitFilter;
import io.headgate.keyed.servlet.RequestPolicy;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

/** The code that the pages show is code that compiles and runs. */
class SnippetTest {

  private static final Path SOURCE = Path.of("src/test/java/io/headgate/keyed/SnippetTest.java");

  @Test
  void theFirstLimit() throws IOException {
    // begin first
    KeyedLimiter limiter = LocalKeyedLimiter.create();
    NamedLimit transfers = NamedLimit.of("transfers", new SlidingLog(10, Duration.ofSeconds(60)));

    limiter
        .check(transfers, "customer-42", 1)
        .thenAccept(
            decision -> {
              if (!decision.allowed()) {
                System.out.println("again in " + decision.decision().retryAfterSeconds() + " s");
              }
            });
    // end first
    assertThat(Path.of("../README.md")).content().contains(snippet("first"));
    assertThat(Path.of("../docs/limiters.md")).content().contains(snippet("first"));
  }

  @Test
  void theFilter() throws IOException {
    KeyedLimiter limiter = LocalKeyedLimiter.create();
    NamedLimit transfers = NamedLimit.of("transfers", new SlidingLog(10, Duration.ofSeconds(60)));
    // begin filter
    Filter filter =
        KeyedLimitFilter.of(
            limiter,
            List.of(
                RequestPolicy.of(
                    transfers, Set.of("POST"), "/api/transfers", KeySource.header("X-Customer"))));
    // end filter
    assertThat(filter).isNotNull();
    assertThat(Path.of("../docs/limiters.md")).content().contains(snippet("filter"));
  }

  @Test
  void waiting() throws IOException {
    KeyedLimiter limiter = LocalKeyedLimiter.create();
    NamedLimit transfers = NamedLimit.of("transfers", new SlidingLog(10, Duration.ofSeconds(60)));
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    // begin waiting
    WaitingKeyedLimiter waiting =
        WaitingKeyedLimiter.of(limiter, 20, QueueOrder.OLDEST_FIRST, timer);
    CompletableFuture<KeyedDecision> decision =
        waiting.acquireAsync(transfers, "customer-42", 1, Duration.ofSeconds(5).toNanos());
    // end waiting
    assertThat(decision.join().allowed()).isTrue();
    timer.shutdownNow();
    assertThat(Path.of("../docs/limiters.md")).content().contains(snippet("waiting"));
  }

  private static String snippet(String name) throws IOException {
    String source = Files.readString(SOURCE);
    int from = source.indexOf("// begin " + name + "\n") + ("// begin " + name + "\n").length();
    int to = source.indexOf("    // end " + name, from);
    return source.substring(from, to).stripTrailing().stripIndent() + "\n```";
  }
}
