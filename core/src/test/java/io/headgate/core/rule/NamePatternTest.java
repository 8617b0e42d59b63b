package io.headgate.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamePatternTest {

  @ParameterizedTest
  @CsvSource({
    "checkout, checkout, true",
    "checkout, checkout2, false",
    "checkout, Checkout, false",
    "checkout, '', false",
    "payments.v1.Payments/*, payments.v1.Payments/Charge, true",
    "payments.v1.Payments/*, payments.v1.Payments/, true",
    "payments.v1.Payments/*, payments.v1.Payments, false",
    "payments.v1.Payments/*, payments.v1.Refunds/Charge, false",
    "*, anything, true",
    "*, '', true",
  })
  void matchesOneNameOrAPrefixOrEverything(String pattern, String name, boolean matches) {
    assertThat(NamePattern.of(pattern).matches(name)).isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a*b", "*a", "a**", "**", "a*b*"})
  void refusesAStarAnywhereButAtTheEnd(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NamePattern.of(text))
        .withMessage(
            "pattern: '" + text + "' (expected: a name, or a prefix that ends in the only '*')");
  }

  @Test
  void isTheCloserTheMoreItSays() {
    assertThat(NamePattern.any().specificity()).isZero();
    assertThat(NamePattern.of("a*").specificity()).isEqualTo(2);
    assertThat(NamePattern.of("abc*").specificity()).isEqualTo(4);
    assertThat(NamePattern.of("a").specificity()).isEqualTo(Integer.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "a*", "a"})
  void isEqualToAndWrittenAsItsText(String text) {
    assertThat(NamePattern.of(text))
        .isEqualTo(NamePattern.of(text))
        .hasSameHashCodeAs(NamePattern.of(text))
        .hasToString(text);
  }

  @Test
  void tellsAPrefixFromTheSameName() {
    assertThat(NamePattern.of("a*")).isNotEqualTo(NamePattern.of("a"));
    assertThat(NamePattern.of("*")).isEqualTo(NamePattern.any());
    assertThat(NamePattern.of("*").isAny()).isTrue();
    assertThat(NamePattern.of("a*").isAny()).isFalse();
  }
}
