package io.headgate.core.shed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StratifiedDrawsTest {

  private static final double RANGE = 0x1p63;

  private final SplittableRandom random = new SplittableRandom(3);
  private final StratifiedDraws draws = new StratifiedDraws();

  @Test
  void eachSixtyFourDrawsFallIntoSixtyFourParts() {
    for (int block = 0; block < 1_000; block++) {
      boolean[] seen = new boolean[64];
      for (int i = 0; i < 64; i++) {
        seen[(int) (draw() * 64)] = true;
      }
      assertThat(seen).doesNotContain(false);
    }
  }

  @Test
  void aHundredRequestsASecondPassTheirShareInEachSecond() {
    double squares = 0;
    for (int second = 0; second < 600; second++) {
      int passed = 0;
      for (int request = 0; request < 100; request++) {
        passed += draw() < 2 / 3.0 ? 1 : 0;
      }
      squares += Math.pow(passed - 100 * 2 / 3.0, 2);
    }

    // Independent draws deviate by sqrt(100 * 2/3 * 1/3) = 4.7. Nothing that leaves the draw after
    // a drop as it is gets below sqrt(2 * 2/3 * 1/3) = 0.67, and 1.25 is what these come to.
    assertThat(Math.sqrt(squares / 600)).isLessThan(1.4);
  }

  @Test
  void anyMinuteOfAnyNumberOfRequestsPassesItsShareToOne() {
    double squares = 0;
    for (int minute = 0; minute < 500; minute++) {
      int requests = 5_950 + random.nextInt(100);
      int passed = 0;
      for (int request = 0; request < requests; request++) {
        passed += draw() < 2 / 3.0 ? 1 : 0;
      }
      squares += Math.pow(passed - requests * 2 / 3.0, 2);
    }

    // A standard deviation; independent draws have 37.
    assertThat(Math.sqrt(squares / 500)).isLessThan(1.4);
  }

  /** Were they alike, a fleet of quiet hosts would pass or drop its first requests all together. */
  @Test
  void hostsDoNotDrawInStep() {
    int passed = 0;
    for (int host = 0; host < 3_000; host++) {
      passed += new StratifiedDraws().next(random.nextLong()) / RANGE < 2 / 3.0 ? 1 : 0;
    }

    assertThat(passed / 3_000.0).isCloseTo(2 / 3.0, within(0.03));
  }

  @Test
  void overAMinuteTheShareIsExactToOneOrTwoRequests() {
    int passed = 0;
    for (int request = 0; request < 6_000; request++) {
      passed += draw() < 2 / 3.0 ? 1 : 0;
    }

    assertThat(passed).isCloseTo(4_000, within(10));
  }

  @ParameterizedTest(name = "one of {0} requests is the caller''s")
  @ValueSource(ints = {2, 3, 4, 7, 8, 16, 32, 63, 64, 65, 128})
  void aCallerInStepWithOthersIsTreatedAsThese(int period) {
    int passed = 0;
    int calls = 20_000;
    for (int call = 0; call < calls; call++) {
      passed += draw() < 2 / 3.0 ? 1 : 0;
      for (int other = 1; other < period; other++) {
        draw();
      }
    }

    assertThat(passed / (double) calls).isCloseTo(2 / 3.0, within(0.01));
  }

  /** Otherwise callers that try again at once would fare worse, or better, than the ratio says. */
  @Test
  void theDrawAfterADropIsLikeAnyOther() {
    int drops = 0;
    int passedAfterDrop = 0;
    boolean dropped = false;
    for (int i = 0; i < 200_000; i++) {
      boolean passes = draw() < 0.3;
      drops += dropped ? 1 : 0;
      passedAfterDrop += dropped && passes ? 1 : 0;
      dropped = !passes;
    }

    assertThat(passedAfterDrop / (double) drops).isCloseTo(0.305, within(0.01));
  }

  /**
   * The evenness of the sum has to come from somewhere: later draws make up for a drop a little.
   */
  @ParameterizedTest(name = "{0} draws later")
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 16, 32})
  void aDropFavoursNoLaterDrawByMoreThanAnEighth(int lag) {
    boolean[] passes = new boolean[200_000];
    for (int i = 0; i < passes.length; i++) {
      passes[i] = draw() < 0.3;
    }
    int drops = 0;
    int passedAfterDrop = 0;
    for (int i = 0; i + lag < passes.length; i++) {
      drops += passes[i] ? 0 : 1;
      passedAfterDrop += !passes[i] && passes[i + lag] ? 1 : 0;
    }

    assertThat(passedAfterDrop / (double) drops).isBetween(0.3 * 0.99, 0.3 * 1.125);
  }

  @Test
  void aDrawIsUniformWithinItsPart() {
    double sum = 0;
    for (int i = 0; i < 64_000; i++) {
      double draw = draw();
      sum += draw * 64 - Math.floor(draw * 64);
    }

    assertThat(sum / 64_000).isCloseTo(0.5, within(0.01));
  }

  private double draw() {
    return draws.next(random.nextLong()) / RANGE;
  }
}
