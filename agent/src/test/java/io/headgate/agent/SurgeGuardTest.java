package io.headgate.agent;

import static io.headgate.agent.Samples.accept;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.rule.RuleOptions;
import io.headgate.core.shed.Directive;
import io.headgate.core.shed.Level;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Forty looks a second at a bucket of 400 requests a second, 80 % of the limit, with factor 3. */
class SurgeGuardTest {

  private static final long LOOK_NANOS = 25_000_000;
  private static final long HOLD_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final int USUAL = 10; // a look

  private final Bucket bucket = new Bucket(new BucketKey("s", "r", "", ""), Verdict.ADMITTED);
  private final LookTimes times = new LookTimes();
  private long nowNanos = -1_000;

  SurgeGuardTest() {
    bucket.follow(RuleOptions.DEFAULT.withSurgeGuard(3), Verdict.ADMITTED);
    bucket.enforce(Directive.inUse(0.8).toBits());
  }

  private void looks(int looks, int offeredEach) {
    looks(looks, offeredEach, Level.DEFAULT_CLASS);
  }

  private void looks(int looks, int offeredEach, int level) {
    for (int look = 0; look < looks; look++) {
      nowNanos += LOOK_NANOS;
      times.add(nowNanos);
      for (int i = 0; i < offeredEach; i++) {
        bucket.counts(level).addAdmitted();
      }
      bucket.guard(times, HOLD_NANOS);
    }
  }

  private double passes() {
    return passes(Level.DEFAULT_CLASS);
  }

  private double passes(int level) {
    return DirectiveBits.acceptRatio(bucket.directive(), level);
  }

  @Test
  void aSurgeIsCutDownToTheFactorTimesTheProcesssPartOfTheLimit() {
    looks(400, USUAL);
    assertThat(passes()).isEqualTo(1);

    // A part of 500/s, so 1,500/s may pass of 8,000.
    looks(1, 200);
    assertThat(passes()).isCloseTo(1500 / 8000.0, within(0.001));
    looks(20, 200);
    assertThat(passes()).isCloseTo(1500 / 8000.0, within(0.001));
  }

  @Test
  void aRiseWithinTheFactorPasses() {
    looks(400, USUAL);

    looks(120, 37);
    assertThat(passes()).isEqualTo(1);
  }

  @Test
  void itLetsGoWhenTheSurgeIsOver() {
    looks(400, USUAL);
    looks(20, 200);

    looks(8, USUAL);
    assertThat(passes()).isEqualTo(1);
  }

  @Test
  void itLetsGoWhenTheControlPlaneIsTighter() {
    looks(400, USUAL);
    looks(20, 200);

    bucket.enforce(accept(0.06));
    assertThat(passes()).isCloseTo(0.06, within(1e-6));
    looks(1, 200);
    assertThat(bucket.directive()).isEqualTo(accept(0.06));
  }

  @Test
  void itTakesForJudgedWhatGoesOn() {
    looks(400, USUAL);
    looks(1 + 119, 200);
    assertThat(passes()).isLessThan(0.2);

    looks(1, 200);
    assertThat(passes()).isEqualTo(1);
    looks(100, 200);
    assertThat(passes()).isEqualTo(1);
  }

  @Test
  void itGoesByWhatMayPassWhereThereIsADirective() {
    bucket.enforce(accept(0.25));
    looks(400, 4 * USUAL);
    assertThat(bucket.directive()).isEqualTo(accept(0.25));

    // Of 1,600/s a quarter passes: a part of 400/s, so 1,200/s may pass of 16,000.
    looks(1, 400);
    assertThat(passes()).isCloseTo(1200 / 16000.0, within(0.001));
  }

  @Test
  void itShedsTheLeastUrgentFirst() {
    for (int look = 0; look < 400; look++) {
      nowNanos += LOOK_NANOS;
      times.add(nowNanos);
      bucket.counts(0).addAdmitted();
      bucket.counts(Level.of(3, true)).addAdmitted();
      bucket.guard(times, HOLD_NANOS);
    }

    looks(8, 200, Level.of(3, true));
    assertThat(passes(0)).isEqualTo(1);
    assertThat(passes(Level.of(3, false))).isEqualTo(1);
    assertThat(passes(Level.of(3, true))).isLessThan(0.1);
  }

  @Test
  void itDoesNothingUntilItKnowsWhatIsUsual() {
    looks(40, USUAL);

    looks(20, 200);
    assertThat(passes()).isEqualTo(1);
  }

  @Test
  void itDoesNothingFarFromTheLimitOrWithoutAControlPlane() {
    bucket.enforce(DirectiveBits.NONE);
    looks(400, USUAL);

    looks(20, 200);
    assertThat(passes()).isEqualTo(1);
  }

  @Test
  void aFewRequestsAreNoSurge() {
    for (int second = 0; second < 10; second++) {
      looks(1, 1);
      looks(39, 0);
    }

    // 1/s, and now 5/s: less than any process is held to.
    for (int i = 0; i < 10; i++) {
      looks(7, 0);
      looks(1, 1);
      assertThat(passes()).isEqualTo(1);
    }
  }

  @Test
  void callsThatWereHeldUpAreNoSurge() {
    looks(400, USUAL);
    looks(8, 0);
    looks(1, 8 * USUAL);
    assertThat(passes()).isEqualTo(1);

    // The process itself stood still for a second.
    nowNanos += 39 * LOOK_NANOS;
    looks(1, USUAL);
    looks(2, 20 * USUAL);
    assertThat(passes()).isEqualTo(1);
    looks(100, USUAL);
    assertThat(passes()).isEqualTo(1);
  }

  @Test
  void itEndsWithTheRulesOption() {
    looks(400, USUAL);
    looks(20, 200);

    bucket.follow(RuleOptions.DEFAULT, Verdict.ADMITTED);
    looks(1, 200);
    assertThat(passes()).isEqualTo(1);
  }
}
