package io.headgate.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class RuleOptionsTest {

  @Test
  void areThoseOfARuleThatNamesNone() {
    assertThat(RuleOptions.DEFAULT)
        .isEqualTo(new RuleOptions(3, Sampler.AUTO, WhenCutOff.SHARE, 0));
    assertThat(RuleOptions.DEFAULT.isGuarded()).isFalse();
  }

  @Test
  void changeOneByOne() {
    assertThat(
            RuleOptions.DEFAULT
                .withCriticality(0)
                .withSampler(Sampler.STRATIFIED)
                .withWhenCutOff(WhenCutOff.OPEN)
                .withSurgeGuard(1.5))
        .isEqualTo(new RuleOptions(0, Sampler.STRATIFIED, WhenCutOff.OPEN, 1.5));
  }

  @Test
  void areEqualWhateverTheSignOfZero() {
    assertThat(RuleOptions.DEFAULT.withSurgeGuard(-0.0)).isEqualTo(RuleOptions.DEFAULT);
  }

  @Test
  void refuseNumbersOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RuleOptions.DEFAULT.withCriticality(6))
        .withMessage("criticality: 6 (expected: 0 to 5)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RuleOptions.DEFAULT.withCriticality(-1))
        .withMessage("criticality: -1 (expected: 0 to 5)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RuleOptions.DEFAULT.withSurgeGuard(1.4))
        .withMessage("surge guard: 1.4 (expected: 0 for none, or 1.5 to 10)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RuleOptions.DEFAULT.withSurgeGuard(Double.NaN))
        .withMessage("surge guard: NaN (expected: 0 for none, or 1.5 to 10)");
  }
}
