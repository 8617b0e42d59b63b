package io.headgate.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.envoy.process.EnvoyProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Stretches of time in which an Envoy's drop ratios stayed the same, whatever demand did. */
final class Stretches {

  private static final int SLOTS = 3;
  private static final double SIGMA = 4;

  private record Stretch(int from, double passing) {}

  private final EnvoyProcess envoy;
  private final Load load;
  private final String[] keys;
  private final List<Stretch> stretches = new ArrayList<>();

  /** Looks at the ratios of these keys, which the requests of {@code load} meet. */
  Stretches(EnvoyProcess envoy, Load load, String... keys) {
    this.envoy = envoy;
    this.load = load;
    this.keys = keys;
  }

  /** Looks for a third of a second; it counts if all ratios are then as they were before. */
  void observe() throws InterruptedException {
    Map<String, Double> before = RatiosInForce.of(envoy);
    int from = Load.pass(SLOTS);
    if (RatiosInForce.of(envoy).equals(before)) {
      stretches.add(new Stretch(from, RatiosInForce.passing(before, keys)));
    }
  }

  int count() {
    return stretches.size();
  }

  /** What passed is the product of what the keys let pass, within the error of the draws. */
  String assertThatRatiosMultiply() {
    double requests = 0;
    double passed = 0;
    double expected = 0;
    double variance = 0;
    for (Stretch stretch : stretches) {
      double here = load.passed(stretch.from, stretch.from + SLOTS);
      double all = here + load.limited(stretch.from, stretch.from + SLOTS);
      requests += all;
      passed += here;
      expected += all * stretch.passing;
      variance += all * stretch.passing * (1 - stretch.passing);
    }
    assertThat(expected / requests).as("passing by the ratios").isBetween(0.1, 0.4);
    assertThat(passed).isCloseTo(expected, within(SIGMA * Math.sqrt(variance)));
    return "%.4f of %.0f admitted, product of the ratios %.4f"
        .formatted(passed / requests, requests, expected / requests);
  }
}
