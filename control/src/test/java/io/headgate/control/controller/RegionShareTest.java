package io.headgate.control.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RegionShareTest {

  private static final Offset<Double> EXACTLY = within(1e-9);

  private final RegionShare share = new RegionShare();

  @Test
  void isThePartOfTheDemandThatWasKnownLast() {
    share.note(0, 75, 25);

    assertThat(share.of(new CutOff(List.of(0), 2), 0, 0)).isCloseTo(0.75, EXACTLY);
  }

  @Test
  void countsRegionsThatAreHeardWithThisOne() {
    share.note(0, 20, 50);
    share.note(1, 20, 30);

    assertThat(share.of(new CutOff(List.of(0), 3), 30, 0)).isCloseTo(0.5, EXACTLY);
  }

  @Test
  void isEqualWhereNothingIsKnown() {
    assertThat(share.of(new CutOff(List.of(0, 1), 3), 0, 0)).isCloseTo(1.0 / 3, EXACTLY);
    assertThat(share.of(new CutOff(List.of(1), 3), 0, 0)).isCloseTo(2.0 / 3, EXACTLY);
  }

  @Test
  void leavesAnEqualPartToARegionThatHadNoDemand() {
    share.note(0, 0, 80);

    assertThat(share.of(new CutOff(List.of(0), 2), 0, 0.1)).isCloseTo(0.05, EXACTLY);
  }

  /** Regions that all lose sight of one another, and had noted the same. */
  @Property(tries = 200)
  void allSharesAddUpToTheLimit(@ForAll long seed, @ForAll @IntRange(min = 2, max = 6) int count) {
    Random random = new Random(seed);
    double[] demand = new double[count];
    for (int region = 0; region < count; region++) {
      demand[region] = random.nextInt(3) * 50.0;
    }
    double sum = 0;
    for (int region = 0; region < count; region++) {
      RegionShare own = new RegionShare();
      Integer[] others = new Integer[count - 1];
      int number = 0;
      for (int other = 0; other < count; other++) {
        if (other != region) {
          own.note(number, demand[region], demand[other]);
          others[number] = number++;
        }
      }
      sum += own.of(new CutOff(List.of(others), count), 0, 0.1);
    }
    assertThat(sum).isCloseTo(1, EXACTLY);
  }
}
