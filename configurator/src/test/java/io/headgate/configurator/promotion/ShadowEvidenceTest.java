package io.headgate.configurator.promotion;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.configurator.guard.PromotionSettings;
import io.headgate.core.rule.Rate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The gates, each exactly at its bound. */
class ShadowEvidenceTest {

  private static final Rate LIMIT = Rate.perSecond(1000);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          7      | 0.00004   | 780   | 1     | ''
          7      | 0         | 850   | 0.99  | ''
          6.9999 | 0         | 500   | 1     | 6.9 of 7 days
          7      | 0.0002    | 780   | 1     | would drop 0.0200 % >= 0.0100 %
          7      | 0.0001    | 780   | 1     | would drop 0.0100 % >= 0.0100 %
          7      | 0.0000999 | 780   | 1     | ''
          7      | 0         | 850.1 | 1     | peak/limit 0.851 > 0.85
          7      | 0         | 960   | 1     | peak/limit 0.960 > 0.85
          7      | 0         | 500   | 0.989 | known 98.9 % < 99 %
          2.58   | 0.02      | 990   | 0.5   | 2.5 of 7 days; known 50.0 % < 99 %; would drop 2 % >= 0.0100 %; peak/limit 0.990 > 0.85
          7      | NaN       | 0     | 1     | calls
          """)
  void aLimitIsEnforcedOnlyAfterItHasShownAllThatIsAsked(
      double days, double share, double peak, double coverage, String missing) {
    ShadowEvidence shown = new ShadowEvidence(days, share, peak, coverage);

    assertThat(String.join("; ", shown.missing(LIMIT, PromotionSettings.DEFAULT)))
        .isEqualTo(missing);
  }

  @Test
  void aLimitMayBeTooWideToo() {
    PromotionSettings settings =
        new PromotionSettings(
            true,
            7,
            0.0001,
            0.3,
            0.85,
            0.99,
            PromotionSettings.DEFAULT.soak(),
            0.01,
            "",
            List.of());

    assertThat(new ShadowEvidence(7, 0, 299, 1).missing(LIMIT, settings))
        .containsExactly("peak/limit 0.299 < 0.3");
    assertThat(new ShadowEvidence(7, 0, 300, 1).missing(LIMIT, settings)).isEmpty();
  }
}
