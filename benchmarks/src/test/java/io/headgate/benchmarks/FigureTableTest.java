package io.headgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureTableTest {

  @Test
  void a_peer_stands_under_headgate_with_its_ratio_to_it() {
    List<String> lines =
        FigureTable.lines(
            List.of(
                new Figure("judge", "one", "headgate", "time", 8, 0.5, "ns/op"),
                new Figure("judge", "one", "headgate", "allocation", 0.001, null, "B/op"),
                new Figure("judge", "one", "bucket4j", "time", 60, 1.25, "ns/op"),
                new Figure("judge", "one", "bucket4j", "allocation", 64, null, "B/op")));

    assertThat(lines)
        .containsExactly(
            "case  metric      subject   value    error  unit   to headgate",
            "one   time        headgate   8.00  ± 0.500  ns/op",
            "                  bucket4j  60.00   ± 1.25  ns/op       7.50 x",
            "one   allocation  headgate  0.001           B/op",
            "                  bucket4j  64.00           B/op");
  }

  @ParameterizedTest
  @CsvSource({"0.0004, 0.000", "1.004, 1.00", "123.45, 123.5", "'1234567', '1,234,567'"})
  void numbers_have_about_three_digits(double value, String text) {
    assertThat(FigureTable.number(value)).isEqualTo(text);
  }
}
