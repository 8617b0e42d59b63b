package io.headgate.agent;

import static io.headgate.agent.Samples.accept;
import static io.headgate.agent.Samples.bucket;
import static io.headgate.agent.Samples.draw;
import static io.headgate.agent.Samples.payments;
import static io.headgate.agent.Samples.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleOptions;
import io.headgate.core.rule.Sampler;
import io.headgate.core.rule.Scope;
import io.headgate.core.shed.Directive;
import io.headgate.core.shed.Level;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class GateTest {

  private static final LongSupplier NO_DRAW =
      () -> {
        throw new AssertionError("no draw is needed");
      };

  private final AtomicLong nextDraw = new AtomicLong();

  private static Gate gate(Gates gates, Rule... rules) {
    Gate gate = gates.gate("payments", "checkout", "Charge");
    gates.apply(payments(rules));
    return gate;
  }

  @Test
  void aGateWithoutRulesAdmitsAndMakesNoState() {
    Gates gates = Samples.gates(NO_DRAW);
    Gate gate = gates.gate("payments", "checkout", "Charge");

    assertThat(gate.judge()).isSameAs(Verdict.ADMITTED);
    assertThat(gates.bucketCount()).isZero();
  }

  @Test
  void withoutADirectiveARequestIsCountedAndPassesWithoutADraw() {
    Gates gates = Samples.gates(NO_DRAW);
    Gate gate = gate(gates, rule("all").build());

    assertThat(gate.judge()).isSameAs(Verdict.ADMITTED);
    assertThat(bucket(gates, "all").snapshot())
        .isEqualTo(new BucketCounts("payments", "all", "", "", 1, 1, 0, 0, 0));
  }

  @Test
  void aDropNamesTheRuleItsLimitAndWhenToRetry() {
    Gates gates = Samples.gates(nextDraw::get);
    Gate gate = gate(gates, rule("all").limit(50).build());
    bucket(gates, "all").enforce(accept(0.25));

    nextDraw.set(draw(0.2499));
    assertThat(gate.judge()).isSameAs(Verdict.ADMITTED);
    nextDraw.set(draw(0.2501));
    Verdict dropped = gate.judge();

    assertThat(dropped)
        .isEqualTo(
            new Verdict(false, "payments", "all", Rate.perSecond(50), Duration.ofSeconds(1)));
    assertThat(gate.judge()).isSameAs(dropped);
    assertThat(bucket(gates, "all").snapshot())
        .isEqualTo(new BucketCounts("payments", "all", "", "", 3, 1, 2, 0, 0.75));
  }

  @Test
  void aRequestThatCarriesNoClassIsJudgedAndCountedByEachRuleAtItsOwn() {
    Gates gates = Samples.gates(nextDraw::get);
    nextDraw.set(draw(0.5));
    Gate gate =
        gate(
            gates,
            rule("a").procedure("Charge").options(RuleOptions.DEFAULT.withCriticality(5)).build(),
            rule("b").build());
    Bucket a = bucket(gates, "a");
    Bucket b = bucket(gates, "b");

    gate.judge();
    gate.judge(-1, true);
    gate.judge(9, false);
    gate.judge(1, false);
    assertThat(offeredByLevel(a)).containsExactly(0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1);
    assertThat(offeredByLevel(b)).containsExactly(0, 1, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0);

    a.enforce(new Directive(4, 0).toBits());
    assertThat(gate.judge().rule()).isEqualTo("a");
    assertThat(gate.judge(3, false)).isSameAs(Verdict.ADMITTED);
    assertThat(a.snapshot().dropRatio()).isEqualTo(1);
  }

  @Test
  void anotherClassForRequestsWithoutCountsFromTheChangeOfRulesOn() {
    Gates gates = Samples.gates(NO_DRAW);
    Gate gate = gate(gates, rule("all").build());
    gate.judge();

    gates.apply(payments(rule("all").options(RuleOptions.DEFAULT.withCriticality(0)).build()));
    gate.judge();
    gate.judge();

    assertThat(offeredByLevel(bucket(gates, "all")))
        .containsExactly(2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  private static long[] offeredByLevel(Bucket bucket) {
    long[] offered = new long[Level.COUNT];
    for (int level = 0; level < Level.COUNT; level++) {
      LevelCounts counts = bucket.countsIfSeen(level);
      offered[level] = counts == null ? 0 : counts.offered();
    }
    return offered;
  }

  @Test
  void theRuleSaysHowToChooseWhatIsDropped() {
    assertThat(dropsOf6400(Sampler.STRATIFIED, false)).isBetween(2_080, 2_190);
    assertThat(dropsOf6400(Sampler.AUTO, true)).isBetween(2_080, 2_190);
    // By a single draw that does not change, independent draws have all one outcome.
    assertThat(dropsOf6400(Sampler.INDEPENDENT, true)).isZero();
    assertThat(dropsOf6400(Sampler.AUTO, false)).isZero();
  }

  private static int dropsOf6400(Sampler sampler, boolean sparse) {
    Gates gates = Samples.gates(() -> draw(0.5));
    Gate gate = gate(gates, rule("all").options(RuleOptions.DEFAULT.withSampler(sampler)).build());
    bucket(gates, "all").enforce(accept(2 / 3.0));
    bucket(gates, "all").setSparse(sparse);
    int dropped = 0;
    for (int i = 0; i < 6400; i++) {
      dropped += gate.judge().admitted() ? 0 : 1;
    }
    return dropped;
  }

  @Test
  void anAcceptThresholdOfZeroPassesNothing() {
    Gates gates = Samples.gates(nextDraw::get);
    Gate gate = gate(gates, rule("all").build());
    bucket(gates, "all").enforce(accept(0));

    nextDraw.set(0);

    assertThat(gate.judge().admitted()).isFalse();
  }

  @Test
  void theUppermostBitOfADrawIsNotUsed() {
    Gates gates = Samples.gates(nextDraw::get);
    Gate gate = gate(gates, rule("all").build());
    bucket(gates, "all").enforce(accept(0.5));

    nextDraw.set(draw(0.4) | Long.MIN_VALUE);
    assertThat(gate.judge().admitted()).isTrue();
    nextDraw.set(draw(0.6) | Long.MIN_VALUE);
    assertThat(gate.judge().admitted()).isFalse();
  }

  @Test
  void theSecondBucketSeesOnlySurvivorsOfTheFirst() {
    Gates gates = Samples.gates(nextDraw::get);
    Gate gate = gate(gates, rule("zone").scope(Scope.ZONE).build(), rule("world").build());
    bucket(gates, "zone").enforce(accept(0.5));
    bucket(gates, "world").enforce(accept(0.5));

    nextDraw.set(draw(0.6));
    assertThat(gate.judge().rule()).isEqualTo("zone");
    nextDraw.set(draw(0.3));
    assertThat(gate.judge().rule()).isEqualTo("world");
    nextDraw.set(draw(0.2));
    assertThat(gate.judge().admitted()).isTrue();

    assertThat(bucket(gates, "zone").snapshot().offered()).isEqualTo(3);
    assertThat(bucket(gates, "world").snapshot().offered()).isEqualTo(2);
  }

  @Test
  void bucketsInSequencePassTheProductOfTheirShares() {
    SplittableRandom random = new SplittableRandom(7);
    Gates gates = Samples.gates(random::nextLong);
    Gate gate =
        gate(
            gates,
            rule("zone").scope(Scope.ZONE).build(),
            rule("region").scope(Scope.REGION).build(),
            rule("world").build());
    bucket(gates, "zone").enforce(accept(0.9));
    bucket(gates, "region").enforce(accept(0.6));
    bucket(gates, "world").enforce(accept(0.5));

    int admitted = admitted(gate, 1_000_000);

    assertThat(admitted / 1e6).isCloseTo(0.9 * 0.6 * 0.5, within(0.002));
    assertThat(dropShare(gates, "zone")).isCloseTo(0.1, within(0.002));
    assertThat(dropShare(gates, "region")).isCloseTo(0.4, within(0.002));
    assertThat(dropShare(gates, "world")).isCloseTo(0.5, within(0.002));
  }

  @Test
  void aBucketInShadowCountsWhatItWouldDropAndChangesNothing() {
    SplittableRandom random = new SplittableRandom(7);
    Gates gates = Samples.gates(random::nextLong);
    Gate gate =
        gate(
            gates,
            rule("first").scope(Scope.ZONE).build(),
            rule("trial").scope(Scope.REGION).shadow().build(),
            rule("last").build());
    bucket(gates, "first").enforce(accept(0.8));
    bucket(gates, "trial").enforce(accept(0.3));
    bucket(gates, "last").enforce(accept(0.5));

    int admitted = admitted(gate, 1_000_000);

    assertThat(admitted / 1e6).isCloseTo(0.8 * 0.5, within(0.002));
    BucketCounts trial = bucket(gates, "trial").snapshot();
    assertThat(trial.dropped()).isZero();
    assertThat(trial.admitted()).isEqualTo(trial.offered());
    assertThat((double) trial.wouldDrop() / trial.offered()).isCloseTo(0.7, within(0.002));
    assertThat(dropShare(gates, "last")).isCloseTo(0.5, within(0.002));
  }

  @Test
  void overloadsOfAThousandTimesTheLimitAreSampledFinely() {
    SplittableRandom random = new SplittableRandom(7);
    Gates gates = Samples.gates(random::nextLong);
    Gate gate = gate(gates, rule("all").build());
    bucket(gates, "all").enforce(accept(0.001));

    assertThat(admitted(gate, 4_000_000)).isCloseTo(4_000, within(200));
  }

  @Test
  void moreUrgentLevelsPassAndLessUrgentOnesAreDropped() {
    Gates gates = Samples.gates(NO_DRAW);
    Gate gate = gate(gates, rule("all").build());
    bucket(gates, "all").enforce(new Directive(3, Directive.accept(1)).toBits());

    assertThat(gate.judge(2, false).admitted()).isTrue();
    nextDraw.set(0);
    Gates drawing = Samples.gates(nextDraw::get);
    Gate sampled = gate(drawing, rule("all").build());
    bucket(drawing, "all").enforce(new Directive(3, Directive.accept(0.5)).toBits());
    assertThat(sampled.judge(3, false).admitted()).isTrue();
    assertThat(sampled.judge(4, false).admitted()).isFalse();
    assertThat(sampled.judge(0, true).admitted()).isFalse();
  }

  @Test
  void aCriticalityOutOfRangeCountsAsTheDefaultClass() {
    Gates gates = Samples.gates(nextDraw::get);
    Gate gate = gate(gates, rule("all").build());

    gate.judge();
    gate.judge(-1, false);
    gate.judge(6, false);
    gate.judge(Integer.MIN_VALUE, false);
    gate.judge(-1, true);

    assertThat(bucket(gates, "all").counts(3).admitted()).isEqualTo(4);
    assertThat(bucket(gates, "all").counts(9).admitted()).isEqualTo(1);
  }

  @Test
  void aReleasedDirectiveLetsEachLevelGoInTheSameProportion() {
    SplittableRandom random = new SplittableRandom(7);
    Gates gates = Samples.gates(random::nextLong);
    Gate gate = gate(gates, rule("all").build());
    bucket(gates, "all").enforce(DirectiveBits.released(accept(0.4), 0.5));

    int atLevel = 0;
    int above = 0;
    int below = 0;
    for (int i = 0; i < 200_000; i++) {
      atLevel += gate.judge(3, false).admitted() ? 1 : 0;
      above += gate.judge(5, false).admitted() ? 1 : 0;
      below += gate.judge(1, false).admitted() ? 1 : 0;
    }

    assertThat(atLevel / 2e5).isCloseTo(0.7, within(0.005));
    assertThat(above / 2e5).isCloseTo(0.5, within(0.005));
    assertThat(below).isEqualTo(200_000);
  }

  @Test
  void judgingAllocatesNothing() {
    Gates gates = Samples.gates(() -> ThreadLocalRandom.current().nextLong());
    Gate gate =
        gate(
            gates,
            rule("zone").scope(Scope.ZONE).build(),
            rule("trial").shadow().perCaller().build());
    bucket(gates, "zone").enforce(accept(0.5));
    bucket(gates, "trial").enforce(accept(0.5));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    admitted(gate, 20_000);
    threads.getCurrentThreadAllocatedBytes();

    long before = threads.getCurrentThreadAllocatedBytes();
    int admitted = admitted(gate, 100_000);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(admitted).isBetween(1, 99_999);
    assertThat(allocated).isLessThan(1_000); // What the measurement itself may cost.
  }

  private static int admitted(Gate gate, int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      if (gate.judge().admitted()) {
        admitted++;
      }
    }
    return admitted;
  }

  private static double dropShare(Gates gates, String rule) {
    BucketCounts counts = bucket(gates, rule).snapshot();
    return (double) counts.dropped() / counts.offered();
  }
}
