package io.headgate.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.simulator.baseline.Comparison;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonViewTest {

  private static Comparison.Row row(String situation, Double reactionSeconds) {
    return new Comparison.Row(
        situation,
        "central counter",
        reactionSeconds,
        279.924,
        5.27,
        0.99915,
        0.5594,
        0.10381,
        529.588,
        0.0499,
        0.0585);
  }

  @Test
  void aSituationIsNamedOnceAndWhatDidNotSettleIsSaidSo() {
    List<String> lines =
        ComparisonView.lines(
            new Comparison(1, List.of(row("unequal-hosts", 2.35), row("unequal-hosts", null))));

    assertThat(lines.subList(0, 4))
        .containsExactly(
            "situation      limiter          react s  excess    Jain  spread  false %    msgs   p50   p99",
            "unequal-hosts  central counter     2.35  279.92  0.9992   0.559    10.38  529.59  49.9  58.5",
            "               central counter    never  279.92  0.9992   0.559    10.38  529.59  49.9  58.5",
            "");
  }

  @Test
  void itFitsInOneHundredColumns() {
    Comparison.Row widest =
        new Comparison.Row(
            "a-situation-with-a-long-name",
            "a limiter with a long name",
            99.99,
            999.99,
            99,
            0.9999,
            0.999,
            1,
            9999.99,
            0.0999,
            0.0999);

    assertThat(ComparisonView.lines(new Comparison(1, List.of(widest))))
        .allMatch(line -> line.length() <= 100);
  }
}
