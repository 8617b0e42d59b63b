package io.headgate.agent;

import static io.headgate.agent.Samples.accept;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.core.shed.Directive;
import org.junit.jupiter.api.Test;

class DirectiveBitsTest {

  @Test
  void aDirectiveInFullForceIsUnchanged() {
    long bits = accept(0.4);

    assertThat(DirectiveBits.released(bits, 0)).isEqualTo(bits);
  }

  @Test
  void theDropRatioOfEachLevelFallsInProportion() {
    long bits = accept(0.4);

    assertThat(DirectiveBits.dropRatio(bits, 3)).isCloseTo(0.6, within(1e-9));
    assertThat(DirectiveBits.dropRatio(bits, 4)).isEqualTo(1);
    assertThat(DirectiveBits.dropRatio(bits, 2)).isZero();

    long quarter = DirectiveBits.released(bits, 0.25);
    assertThat(DirectiveBits.dropRatio(quarter, 3)).isCloseTo(0.45, within(1e-7));
    assertThat(DirectiveBits.dropRatio(quarter, 4)).isCloseTo(0.75, within(1e-7));
    assertThat(DirectiveBits.dropRatio(quarter, 2)).isZero();
  }

  @Test
  void aReleaseThatIsAlmostCompleteStillDropsAlmostNothing() {
    long bits = DirectiveBits.released(accept(0), 0.99999999);

    assertThat(DirectiveBits.dropRatio(bits, 3)).isBetween(0.0, 1e-6);
    assertThat(DirectiveBits.dropRatio(bits, 11)).isBetween(0.0, 1e-6);
  }

  @Test
  void aCompleteReleaseLeavesNoDirective() {
    assertThat(DirectiveBits.released(accept(0.4), 1)).isEqualTo(Directive.NONE.toBits());
    assertThat(DirectiveBits.released(DirectiveBits.NONE, 0.5)).isEqualTo(DirectiveBits.NONE);
  }
}
