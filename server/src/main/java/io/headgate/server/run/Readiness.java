package io.headgate.server.run;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether the process is of use. It stays ready once it was, until it drains: a role that loses the
 * tier above it still counts, and must not be taken out of service by whoever watches readiness.
 */
final class Readiness {

  private final List<RunningRole> roles;
  private volatile boolean wasReady;
  private volatile boolean draining;

  Readiness(List<RunningRole> roles) {
    this.roles = roles;
  }

  /** From now on it is not ready. */
  void drain() {
    draining = true;
  }

  /** Why it is not ready, in a few words; empty if it is. */
  CompletableFuture<String> missing() {
    if (draining) {
      return CompletableFuture.completedFuture("draining");
    }
    if (wasReady) {
      return CompletableFuture.completedFuture("");
    }
    List<CompletableFuture<String>> answers = roles.stream().map(Readiness::missing).toList();
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(
            done -> {
              String missing =
                  answers.stream()
                      .map(CompletableFuture::join)
                      .filter(answer -> !answer.isEmpty())
                      .collect(Collectors.joining("; "));
              wasReady = missing.isEmpty();
              return missing;
            });
  }

  private static CompletableFuture<String> missing(RunningRole role) {
    return OnLoop.call(
        role.loop(),
        () -> {
          @Nullable String missing = role.missing();
          return missing == null ? "" : role.role() + ": " + missing;
        });
  }
}
