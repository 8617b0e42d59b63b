package io.headgate.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateTest {

  @ParameterizedTest
  @CsvSource({
    "5000/s, 5000",
    "0/s, 0",
    "1.5k/s, 1500",
    "2M/s, 2000000",
    "300/min, 5",
    "300/m, 5",
    "300/minute, 5",
    "7200/h, 2",
    "7200/hour, 2",
    "90/sec, 90",
    "90/second, 90",
    "5000 / s, 5000",
    "0.25/s, 0.25",
    "1000000M/s, 1000000000000",
  })
  void readsEveryUnit(String text, double perSecond) {
    assertThat(Rate.parse(text)).isEqualTo(Rate.perSecond(perSecond));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5000 | '5000' has no unit (expected: a rate such as 5000/s)",
        "1.5k | '1.5k' has no unit (expected: a rate such as 1.5k/s)",
        "5/d | '5/d' has the unknown unit 'd' (expected: s, min or h)",
        "5/S | '5/S' has the unknown unit 'S' (expected: s, min or h)",
        "-5/s | '-5/s' is negative (expected: 0/s or more)",
        "1000001M/s | '1000001M/s' is too large (expected: at most 1000000M/s)",
        "fast | 'fast' is no rate (expected: a rate such as 5000/s, 1.5k/s or 300/min)",
        "5K/s | '5K/s' is no rate (expected: a rate such as 5000/s, 1.5k/s or 300/min)",
        "5,000/s | '5,000/s' is no rate (expected: a rate such as 5000/s, 1.5k/s or 300/min)",
        "1e3/s | '1e3/s' is no rate (expected: a rate such as 5000/s, 1.5k/s or 300/min)",
        "NaN/s | 'NaN/s' is no rate (expected: a rate such as 5000/s, 1.5k/s or 300/min)",
        "5/s/s | '5/s/s' is no rate (expected: a rate such as 5000/s, 1.5k/s or 300/min)",
        "/s | '/s' is no rate (expected: a rate such as 5000/s, 1.5k/s or 300/min)",
      })
  void saysWhatIsWrongWithAText(String text, String message) {
    assertThatIllegalArgumentException().isThrownBy(() -> Rate.parse(text)).withMessage(message);
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        -1,
        -Double.MIN_VALUE,
        1.0000001e12,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.NaN
      })
  void refusesNumbersOutOfRange(double perSecond) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rate.perSecond(perSecond))
        .withMessage("rate: " + perSecond + " (expected: 0 to 1e12 a second)");
  }

  @ParameterizedTest
  @CsvSource({
    "5000, 5000/s",
    "0, 0/s",
    "0.5, 30/min",
    "0.1, 6/min",
    "0.01, 36/h",
    "1000000000000, 1000000000000/s",
    "0.000000001, 0.000000001/s",
    "12.3456789, 12.3456789/s",
  })
  void writesAWholeNumberInAUnitOrElseADecimal(double perSecond, String text) {
    assertThat(Rate.perSecond(perSecond)).hasToString(text);
  }

  @Test
  void takesNegativeZeroForZero() {
    assertThat(Rate.perSecond(-0.0)).isEqualTo(Rate.perSecond(0)).hasToString("0/s");
  }

  @Property
  void isReadAgainAsWritten(@ForAll @DoubleRange(min = 0, max = 1e12) double perSecond) {
    Rate rate = Rate.perSecond(perSecond);

    assertThat(Rate.parse(rate.toString())).isEqualTo(rate);
  }

  @Property
  void keepsTheUnitsApart(@ForAll @IntRange(min = 0) int number) {
    double perMinute = Rate.parse(number + "/min").perSecond();

    assertThat(perMinute * 60).isCloseTo(number, within(1e-6));
    assertThat(Rate.parse(number + "/h").perSecond()).isCloseTo(perMinute / 60, within(1e-6));
  }
}
