package io.headgate.server.run;

import java.util.List;
import java.util.stream.Collectors;

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
  String missing() {
    if (draining) {
      return "draining";
    }
    if (wasReady) {
      return "";
    }
    String missing =
        roles.stream()
            .filter(role -> !role.missing().isEmpty())
            .map(role -> role.role() + ": " + role.missing())
            .collect(Collectors.joining("; "));
    wasReady = missing.isEmpty();
    return missing;
  }
}
