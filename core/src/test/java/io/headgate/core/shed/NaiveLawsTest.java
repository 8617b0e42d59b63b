package io.headgate.core.shed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.Test;

/**
 * What laws do that look as good at first sight, and that the drop law does not do. Each second
 * what was counted in the one before becomes the accept ratio of the one after: a loop of two
 * seconds, as that of Uber.
 */
class NaiveLawsTest {

  private static final double LIMIT = 25_000;
  private static final double BEFORE = 22_000;
  private static final double AFTER = 367_000;
  private static final int STEP = 10;

  @Test
  void anExponentialAverageOfATenthNeedsTwentySecondsForASixteenfoldStep() {
    double[] average = {BEFORE};
    List<Double> admitted =
        run(
            (offered, passed) -> {
              average[0] += 0.1 * (offered - average[0]);
              return LIMIT / average[0];
            });

    // It is under 27,500 once it is above 333,636: when 0.9^n < 33,364 / 345,000, n = 22.2.
    assertThat(secondsToUnder110Percent(admitted)).isBetween(22, 26);
  }

  @Test
  void theLawInUseNeedsNoMoreThanTheLoopTakes() {
    DropLaw law = new DropLaw(LawSettings.DEFAULT);
    long[] second = {0};
    List<Double> admitted =
        run(
            (offered, passed) -> {
              double[] levels = new double[Level.COUNT];
              levels[Level.DEFAULT_CLASS] = offered;
              second[0] += 1_000_000_000L;
              return law.update(second[0], Demand.overOneSecond(levels), LIMIT)
                  .acceptRatio(Level.DEFAULT_CLASS);
            });

    assertThat(secondsToUnder110Percent(admitted)).isLessThanOrEqualTo(2);
    assertThat(admitted.get(admitted.size() - 1)).isCloseTo(LIMIT, within(1.0));
  }

  /** The first version of others' reproductions made this mistake. */
  @Test
  void theFormulaFedWithWhatWasAdmittedNeverSettles() {
    List<Double> admitted = run((offered, passed) -> LIMIT / passed);

    List<Double> late = admitted.subList(admitted.size() - 100, admitted.size());
    assertThat(mean(late)).isGreaterThan(3 * LIMIT);
    assertThat(late).anyMatch(each -> each > 10 * LIMIT).anyMatch(each -> each < 1.1 * LIMIT);
  }

  /** Tuned at 1.5 times the limit, such a controller has ten times the gain at fifteen times. */
  @Test
  void anAdditiveControllerSwingsWithoutEndWhereTheOverloadIsLarge() {
    double[] accept = {1};
    List<Double> admitted =
        run(
            (offered, passed) -> {
              accept[0] -= 0.1 * (passed - LIMIT) / LIMIT;
              accept[0] = Math.max(0, Math.min(1, accept[0]));
              return accept[0];
            });

    List<Double> late = admitted.subList(admitted.size() - 100, admitted.size());
    assertThat(late).anyMatch(each -> each < 0.05 * LIMIT).anyMatch(each -> each > 2.5 * LIMIT);
  }

  /** What passes in each second under a law that turns offered and admitted into a ratio. */
  private static List<Double> run(DoubleBinaryOperator law) {
    List<Double> admitted = new ArrayList<>();
    double next = 1;
    double accept = 1;
    for (int second = 0; second < 300; second++) {
      double offered = second < STEP ? BEFORE : AFTER;
      double passed = offered * accept;
      admitted.add(passed);
      accept = next;
      next = Math.max(0, Math.min(1, law.applyAsDouble(offered, passed)));
    }
    return admitted;
  }

  private static int secondsToUnder110Percent(List<Double> admitted) {
    int last = STEP - 1;
    for (int second = STEP; second < admitted.size(); second++) {
      last = admitted.get(second) > 1.1 * LIMIT ? second : last;
    }
    return last + 1 - STEP;
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }
}
