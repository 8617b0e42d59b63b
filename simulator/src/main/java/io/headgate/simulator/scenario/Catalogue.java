package io.headgate.simulator.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The scenarios that come with Headgate. */
public final class Catalogue {

  private static final List<String> NAMES =
      List.of(
          "step",
          "step-plain",
          "step-fast",
          "step-plain-fast",
          "step-guarded",
          "step-guarded-tightly",
          "guarded-shift",
          "fall",
          "fall-plain",
          "fall-fast",
          "limit-halved",
          "incident",
          "short-burst",
          "short-burst-plain",
          "long-burst",
          "long-burst-plain",
          "square-wave",
          "square-wave-plain",
          "square-wave-fast",
          "at-limit",
          "at-small-limit",
          "at-hundred",
          "small-limit",
          "under-limit",
          "day",
          "fair-share",
          "unequal-hosts",
          "one-bursty-host",
          "host-bursts",
          "many-callers",
          "few-requests",
          "thousandfold",
          "retry-storm",
          "retry-storm-unmarked",
          "retry-storm-large",
          "retry-storm-large-unmarked",
          "retry-storm-ends",
          "priority",
          "priority-slight",
          "region-limit",
          "default-class",
          "nested-scopes",
          "two-rules",
          "shadow",
          "shadow-to-deny",
          "controllers-lost",
          "controllers-lost-no-ramp",
          "controller-failover",
          "controller-replaced",
          "cold-start",
          "aggregator-lost",
          "aggregator-restart",
          "aggregator-restart-unequal",
          "rehome",
          "zone-loss",
          "zone-loss-ends",
          "region-cut-off",
          "region-cut-off-held",
          "region-cut-off-ends",
          "region-cut-off-open",
          "few-large-hosts",
          "client-restarts",
          "stalls",
          "thread-stalls",
          "clocks-apart",
          "poor-network",
          "slow-network",
          "slow-network-plain",
          "overload",
          "scale",
          "one-hot-bucket",
          "many-hot-buckets");

  private Catalogue() {}

  /** The names, in the order in which they are best read. */
  public static List<String> names() {
    return NAMES;
  }

  /** All scenarios, in the order of {@link #names()}. */
  public static List<Scenario> all() {
    List<Scenario> all = new ArrayList<>();
    for (String name : NAMES) {
      all.add(get(name));
    }
    return all;
  }

  /**
   * The scenario of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Scenario get(String name) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException(
          "scenario: '" + name + "' (expected: one of " + String.join(", ", NAMES) + ")");
    }
    String file = name + ".yaml";
    try (InputStream in =
        Catalogue.class.getResourceAsStream("/io/headgate/simulator/scenarios/" + file)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its scenario " + file);
      }
      ScenarioReader.Reading reading = ScenarioReader.read(file, in.readAllBytes());
      Scenario scenario = reading.scenario();
      if (scenario == null) {
        throw new IllegalStateException(String.valueOf(reading.problems()));
      }
      return scenario;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read scenario " + file, e);
    }
  }
}
