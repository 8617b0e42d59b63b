package io.headgate.core.shed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectiveTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "-1, 0",
    "-Infinity, 0",
    "1e-12, 0", // less than half a step
    "2.3283064365386963e-10, 1", // 1 / 2^32, one step
    "0.25, 1073741824", // 2^30
    "0.5, 2147483648", // 2^31, negative as a signed number
    "0.75, 3221225472",
    "0.9999999999, 4294967295",
    "1, 4294967295",
    "1.5, 4294967295",
    "Infinity, 4294967295",
    "NaN, 4294967295", // a fault must not stop traffic
  })
  void turnsARatioIntoAnUnsignedThreshold(double ratio, long accept) {
    assertThat(Integer.toUnsignedLong(Directive.accept(ratio))).isEqualTo(accept);
  }

  @Property
  void keepsARatioToHalfAStep(@ForAll @DoubleRange(min = 0, max = 1) double ratio) {
    Directive directive = new Directive(3, Directive.accept(ratio));

    assertThat(directive.acceptRatio()).isCloseTo(ratio, within(1.0 / (1L << 32)));
  }

  @Test
  void passesMoreUrgentLevelsAndDropsLessUrgentOnes() {
    Directive directive = new Directive(4, Directive.accept(0.25));

    assertThat(directive.acceptRatio(3)).isEqualTo(1);
    assertThat(directive.acceptRatio(4)).isEqualTo(0.25);
    assertThat(directive.acceptRatio(5)).isZero();
    assertThat(directive.isNone()).isFalse();
  }

  @Test
  void isNoneWhenEverythingPasses() {
    assertThat(Directive.NONE.isNone()).isTrue();
    for (int level = 0; level < Level.COUNT; level++) {
      assertThat(Directive.NONE.acceptRatio(level)).isEqualTo(1);
    }
  }

  @Property
  void isTheSameAfterItsTripThroughBits(
      @ForAll @IntRange(min = 0, max = 255) int level, @ForAll int accept) {
    Directive directive = new Directive(level, accept);

    assertThat(Directive.fromBits(directive.toBits())).isEqualTo(directive);
    assertThat(directive.toBits()).isNotNegative();
  }
}
