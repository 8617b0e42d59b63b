package io.headgate.core.shed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DropLawTest {

  private static final long SECOND = 1_000_000_000L;

  @ParameterizedTest
  @CsvSource({
    "1500, 0.6667", // a third is dropped
    "2000, 0.5",
    "16670, 0.05999", // 22 to 367 thousand is a step of 16.7
    "1000000, 0.001", // a thousand times the limit
  })
  void passesTheLimitOverTheDemand(double demand, double accept) {
    Directive directive = new DropLaw(LawSettings.DEFAULT).update(SECOND, atOneLevel(demand), 1000);

    assertThat(directive.level()).isEqualTo(Level.DEFAULT_CLASS);
    assertThat(directive.acceptRatio()).isCloseTo(accept, within(accept * 1e-3));
  }

  @Test
  void dropsNothingAtOrUnderTheLimit() {
    DropLaw law = new DropLaw(LawSettings.PLAIN);

    assertThat(law.update(SECOND, atOneLevel(0), 1000)).isEqualTo(Directive.NONE);
    assertThat(law.update(2 * SECOND, atOneLevel(800), 1000)).isEqualTo(Directive.NONE);
    assertThat(law.update(3 * SECOND, atOneLevel(1000), 1000)).isEqualTo(Directive.NONE);
  }

  @Test
  void startsAboveTheNoiseAndEndsAtTheLimit() {
    // At 1000 requests a second the noise of one second is 32, and the entry margin twice that.
    LawSettings settings = new LawSettings(0, 2, 10, 0.1);
    DropLaw law = new DropLaw(settings);

    assertThat(law.update(SECOND, atOneLevel(1040), 1000).isNone()).isTrue();
    assertThat(law.update(2 * SECOND, atOneLevel(1100), 1000).isNone()).isFalse();
    assertThat(law.update(3 * SECOND, atOneLevel(1040), 1000).acceptRatio())
        .isCloseTo(1000.0 / 1040, within(1e-6));
    assertThat(law.update(4 * SECOND, atOneLevel(1000), 1000).isNone()).isTrue();
    assertThat(law.update(5 * SECOND, atOneLevel(1040), 1000).isNone()).isTrue();
  }

  @Test
  void dropsTheTwoLeastUrgentOfSixClassesAtOneAndAHalfTimesTheLimit() {
    Directive directive = new DropLaw(LawSettings.DEFAULT).update(SECOND, atSixClasses(250), 1000);

    assertThat(directive.acceptRatio(3)).isEqualTo(1);
    assertThat(directive.acceptRatio(4)).isZero();
    assertThat(directive.acceptRatio(5)).isZero();
  }

  @Test
  void samplesTheClassAtWhichTheLimitRunsOut() {
    // Six classes at 1100 / 6 each: five take 916.7, the last has 83.3 of 183.3 left.
    Directive directive =
        new DropLaw(LawSettings.DEFAULT).update(SECOND, atSixClasses(1100.0 / 6), 1000);

    assertThat(directive.acceptRatio(4)).isEqualTo(1);
    assertThat(directive.level()).isEqualTo(5);
    assertThat(1 - directive.acceptRatio()).isCloseTo(0.545, within(0.0005));
  }

  @Test
  void dropsRetriesOfEveryClassBeforeAnyFirstAttempt() {
    double[] offered = new double[Level.COUNT];
    offered[Level.of(5, false)] = 900;
    offered[Level.of(0, true)] = 600;

    Directive directive =
        new DropLaw(LawSettings.DEFAULT).update(SECOND, Demand.overOneSecond(offered), 1000);

    assertThat(directive.acceptRatio(Level.of(5, false))).isEqualTo(1);
    assertThat(directive.level()).isEqualTo(Level.of(0, true));
    assertThat(directive.acceptRatio()).isCloseTo(100.0 / 600, within(1e-6));
  }

  @Test
  void dropsEverythingAtALimitOfZero() {
    Directive directive = new DropLaw(LawSettings.DEFAULT).update(SECOND, atOneLevel(10), 0);

    assertThat(directive.level()).isEqualTo(Level.DEFAULT_CLASS);
    assertThat(directive.acceptRatio()).isZero();
  }

  @Test
  void givesOutOnlyWhatUnreachableSourcesLeaveButNeverLessThanTheFloor() {
    double[] offered = new double[Level.COUNT];
    offered[Level.DEFAULT_CLASS] = 1200;

    Directive left =
        new DropLaw(LawSettings.DEFAULT).update(SECOND, new Demand(offered, 1200, 400), 1000);
    Directive floor =
        new DropLaw(LawSettings.DEFAULT).update(SECOND, new Demand(offered, 1200, 5000), 1000);

    assertThat(left.acceptRatio()).isCloseTo(0.5, within(1e-6));
    assertThat(floor.acceptRatio()).isCloseTo(100.0 / 1200, within(1e-6));
  }

  @Test
  void letsEverythingPassWhenItsInputIsNoNumber() {
    DropLaw law = new DropLaw(LawSettings.DEFAULT);

    assertThat(law.update(SECOND, atOneLevel(Double.NaN), 1000).isNone()).isTrue();
    assertThat(law.update(2 * SECOND, atOneLevel(1500), Double.NaN).isNone()).isTrue();
  }

  @Property
  void admitsTheLimitWhateverTheMixOfLevels(
      @ForAll @Size(Level.COUNT) List<@DoubleRange(min = 0, max = 1e6) Double> levels,
      @ForAll @DoubleRange(min = 1, max = 1e6) double limit) {
    double[] offered = levels.stream().mapToDouble(Double::doubleValue).toArray();

    Directive directive =
        new DropLaw(LawSettings.PLAIN).update(SECOND, Demand.overOneSecond(offered), limit);

    double demand = 0;
    double admitted = 0;
    for (int level = 0; level < Level.COUNT; level++) {
      demand += offered[level];
      admitted += offered[level] * directive.acceptRatio(level);
    }
    assertThat(admitted).isCloseTo(Math.min(limit, demand), within(1e-3 + demand * 1e-9));
  }

  private static Demand atOneLevel(double perSecond) {
    double[] offered = new double[Level.COUNT];
    offered[Level.DEFAULT_CLASS] = perSecond;
    return Demand.overOneSecond(offered);
  }

  private static Demand atSixClasses(double perSecond) {
    double[] offered = new double[Level.COUNT];
    for (int criticality = 0; criticality < Level.CLASSES; criticality++) {
      offered[Level.of(criticality, false)] = perSecond;
    }
    return Demand.overOneSecond(offered);
  }
}
