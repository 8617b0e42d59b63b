package io.headgate.core.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;

/** Every algorithm against what it means, by sequences of random requests. */
@Tag("process") // ten times ten thousand sequences
class LimiterModelTest {

  /** Decisions of 10,000 sequences each. */
  private static final int SEQUENCES = 10_000;

  record Step(long pause, long cost, boolean refunded) {}

  record Sequence(long start, List<Step> steps) {}

  @Property(tries = SEQUENCES)
  void greedyTokenBucket(
      @ForAll("greedyBuckets") Limit limit, @ForAll("sequences") Sequence sequence) {
    compare(limit, sequence);
  }

  @Property(tries = SEQUENCES)
  void intervalTokenBucket(
      @ForAll("intervalBuckets") Limit limit, @ForAll("sequences") Sequence sequence) {
    compare(limit, sequence);
  }

  @Property(tries = SEQUENCES)
  void leakyBucket(@ForAll("leakyBuckets") Limit limit, @ForAll("sequences") Sequence sequence) {
    compare(limit, sequence);
  }

  @Property(tries = SEQUENCES)
  void gcra(@ForAll("gcras") Limit limit, @ForAll("sequences") Sequence sequence) {
    compare(limit, sequence);
  }

  @Property(tries = SEQUENCES)
  void fixedWindow(@ForAll("fixedWindows") Limit limit, @ForAll("sequences") Sequence sequence) {
    compare(limit, sequence);
  }

  @Property(tries = SEQUENCES)
  void slidingLog(@ForAll("logs") Limit limit, @ForAll("sequences") Sequence sequence) {
    assertNoWindowHoldsMore(limit, compare(limit, sequence), ((SlidingLog) limit).window());
  }

  @Property(tries = SEQUENCES)
  void slidingCounter(@ForAll("counters") Limit limit, @ForAll("sequences") Sequence sequence) {
    compare(limit, sequence);
  }

  @Property(tries = SEQUENCES)
  void segmentedWindow(@ForAll("segmented") Limit limit, @ForAll("sequences") Sequence sequence) {
    compare(limit, sequence);
  }

  @Property(tries = SEQUENCES)
  void strictSegmentedWindow(
      @ForAll("strict") Limit limit, @ForAll("sequences") Sequence sequence) {
    assertNoWindowHoldsMore(limit, compare(limit, sequence), ((SegmentedWindow) limit).window());
  }

  /** A clock that steps back gives nothing back that the time it had reached would not. */
  @Property(tries = SEQUENCES)
  void steppingBackNeverGrantsMore(
      @ForAll("any") Limit limit, @ForAll("wildSequences") Sequence sequence) {
    Limiter limiter = limit.newLimiter(sequence.start());
    NaiveLimit naive = NaiveLimit.of(limit, sequence.start());
    long now = sequence.start();
    long latest = sequence.start();
    for (Step step : sequence.steps()) {
      now += step.pause();
      latest = Math.max(latest, now);
      long cost = Math.max(1, Math.min(step.cost(), limit.limit()));
      if (limiter.tryAcquire(cost, now)) {
        assertThat(naive.left(latest)).isGreaterThanOrEqualTo(cost);
        naive.take(cost, latest);
      }
      assertThat(limiter.available(now)).isBetween(0L, limit.limit());
      assertThat(limiter.resetAt(now)).isGreaterThanOrEqualTo(now);
    }
  }

  private static NaiveLimit compare(Limit limit, Sequence sequence) {
    Limiter limiter = limit.newLimiter(sequence.start());
    NaiveLimit naive = NaiveLimit.of(limit, sequence.start());
    long now = sequence.start();
    for (Step step : sequence.steps()) {
      now += step.pause();
      long left = naive.left(now);
      assertThat(limiter.available(now)).isEqualTo(left);
      long needed = Math.max(1, step.cost());
      Decision decision = limiter.acquire(step.cost(), now);
      assertThat(decision.allowed()).isEqualTo(left >= needed);
      if (step.cost() > limit.limit()) {
        assertThat(decision.isHopeless()).isTrue();
      } else if (!decision.allowed()) {
        assertRightWait(naive, now, needed, decision.retryAfterNanos());
        assertThat(limiter.waitFor(needed, now)).isEqualTo(decision.retryAfterNanos());
      } else if (step.cost() > 0) {
        naive.take(step.cost(), now);
        if (step.refunded()) {
          assertThat(limiter.refund(1, now, now)).isTrue();
          naive.undo(1, now);
        }
      }
      assertThat(limiter.available(now)).isEqualTo(naive.left(now));
      assertRightReset(limit, naive, now, limiter.resetAt(now));
    }
    return naive;
  }

  private static void assertRightWait(NaiveLimit naive, long now, long needed, long wait) {
    assertThat(wait).isPositive();
    assertThat(naive.left(now + wait)).isGreaterThanOrEqualTo(needed);
    assertThat(naive.left(now + wait - 1)).isLessThan(needed);
  }

  private static void assertRightReset(Limit limit, NaiveLimit naive, long now, long reset) {
    assertThat(reset).isGreaterThanOrEqualTo(now);
    assertThat(naive.left(reset)).isEqualTo(limit.limit());
    if (reset > now) {
      // A bucket's last permit may be whole before the bucket is full to the brim; never the
      // reverse.
      assertThat(naive.left(reset - 1)).isLessThan(limit.limit());
    }
  }

  private static void assertNoWindowHoldsMore(Limit limit, NaiveLimit naive, Duration window) {
    for (NaiveLimit.Taken end : naive.taken) {
      long inWindow =
          naive.taken.stream()
              .filter(entry -> entry.at() <= end.at() && entry.at() > end.at() - window.toNanos())
              .mapToLong(NaiveLimit.Taken::cost)
              .sum();
      assertThat(inWindow).isLessThanOrEqualTo(limit.limit());
    }
  }

  // ---- what the sequences are made of

  @Provide
  Arbitrary<Sequence> sequences() {
    return sequencesWithPauses(Arbitraries.longs().between(0, 40));
  }

  @Provide
  Arbitrary<Sequence> wildSequences() {
    return sequencesWithPauses(Arbitraries.longs().between(-60, 80));
  }

  private static Arbitrary<Sequence> sequencesWithPauses(Arbitrary<Long> pauses) {
    Arbitrary<Long> starts =
        Arbitraries.of(0L, 1L, -7L, 1_000_000_007L, -3_000_000_000_000_000_000L, 1L << 60)
            .withoutEdgeCases();
    return Combinators.combine(starts, stepsWithPauses(pauses)).as(Sequence::new);
  }

  private static Arbitrary<List<Step>> stepsWithPauses(Arbitrary<Long> pauses) {
    Arbitrary<Long> costs =
        Arbitraries.frequencyOf(
            Tuple.of(6, Arbitraries.longs().between(0, 4)),
            Tuple.of(1, Arbitraries.longs().between(5, 25)));
    return Combinators.combine(pauses, costs, Arbitraries.of(true, false, false))
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(30);
  }

  @Provide
  Arbitrary<Limit> any() {
    return Arbitraries.oneOf(
        greedyBuckets(),
        intervalBuckets(),
        leakyBuckets(),
        gcras(),
        fixedWindows(),
        logs(),
        counters(),
        segmented(),
        strict());
  }

  @Provide
  Arbitrary<Limit> greedyBuckets() {
    return Combinators.combine(limits(), limits(), times(), Arbitraries.doubles().between(0, 1))
        .as(
            (capacity, tokens, period, fill) ->
                TokenBucket.of(capacity, tokens, period)
                    .withInitialTokens((long) (fill * capacity)));
  }

  @Provide
  Arbitrary<Limit> intervalBuckets() {
    return Combinators.combine(limits(), limits(), times())
        .as((capacity, tokens, period) -> TokenBucket.interval(capacity, tokens, period));
  }

  @Provide
  Arbitrary<Limit> leakyBuckets() {
    return Combinators.combine(limits(), limits(), times()).as(LeakyBucket::new);
  }

  @Provide
  Arbitrary<Limit> gcras() {
    return Combinators.combine(limits(), times(), limits()).as(Gcra::new);
  }

  @Provide
  Arbitrary<Limit> fixedWindows() {
    return Combinators.combine(limits(), times()).as(FixedWindow::new);
  }

  @Provide
  Arbitrary<Limit> logs() {
    return Combinators.combine(limits(), times()).as(SlidingLog::new);
  }

  @Provide
  Arbitrary<Limit> counters() {
    return Combinators.combine(limits(), times()).as(SlidingCounter::new);
  }

  @Provide
  Arbitrary<Limit> segmented() {
    return Combinators.combine(limits(), Arbitraries.longs().between(1, 30), segments())
        .as((limit, segment, count) -> SegmentedWindow.of(limit, nanos(segment * count), count));
  }

  @Provide
  Arbitrary<Limit> strict() {
    return Combinators.combine(limits(), Arbitraries.longs().between(1, 30), segments())
        .as(
            (limit, segment, count) ->
                SegmentedWindow.strict(limit, nanos(segment * count), count));
  }

  private static Arbitrary<Long> limits() {
    return Arbitraries.longs().between(1, 20);
  }

  private static Arbitrary<Integer> segments() {
    return Arbitraries.integers().between(1, 6);
  }

  private static Arbitrary<Duration> times() {
    return Arbitraries.longs().between(1, 100).map(LimiterModelTest::nanos);
  }

  private static Duration nanos(long nanos) {
    return Duration.ofNanos(nanos);
  }
}
