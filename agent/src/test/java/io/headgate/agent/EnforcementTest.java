package io.headgate.agent;

import static io.headgate.agent.Samples.accept;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.shed.Directive;
import io.headgate.fixtures.VirtualLoop;
import io.headgate.protocol.v1.Directives;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EnforcementTest {

  private final VirtualLoop loop = new VirtualLoop();
  private final Enforcement enforcement = new Enforcement(loop, Duration.ofSeconds(10).toNanos());
  private final BucketNumbers numbers = new BucketNumbers();
  private final Bucket one = new Bucket(new BucketKey("s", "one", "", ""), Verdict.ADMITTED);
  private final Bucket two = new Bucket(new BucketKey("s", "two", "", ""), Verdict.ADMITTED);

  @BeforeEach
  void number() {
    numbers.define(one);
    numbers.define(two);
  }

  private static Directives.Builder ttl(int millis) {
    return Directives.newBuilder().setTtlMillis(millis);
  }

  private static Directives.Builder row(Directives.Builder to, int bucket, double accept) {
    return to.addBucket(bucket).addLevel(3).addAccept(Directive.accept(accept));
  }

  private void apply(Directives.Builder message) {
    enforcement.apply(message.build(), numbers);
  }

  private void after(double seconds) {
    loop.run(Duration.ofMillis(Math.round(seconds * 1_000)));
  }

  private static double dropRatio(Bucket bucket) {
    return bucket.snapshot().dropRatio();
  }

  @Test
  void directivesGoToTheBucketsOfTheirNumbers() {
    apply(row(row(ttl(5_000), 1, 0.25), 2, 0.5));

    assertThat(one.directive()).isEqualTo(accept(0.25));
    assertThat(two.directive()).isEqualTo(accept(0.5));
  }

  @Test
  void aMessageLeavesOtherBucketsAsTheyAre() {
    apply(row(ttl(5_000), 1, 0.25));

    apply(row(ttl(5_000), 2, 0.5));

    assertThat(one.directive()).isEqualTo(accept(0.25));
    assertThat(two.directive()).isEqualTo(accept(0.5));
  }

  @Test
  void aRowCanClearOneBucket() {
    apply(row(ttl(5_000), 1, 0.25));

    apply(ttl(5_000).addBucket(1).addLevel(255).addAccept(0));

    assertThat(one.directive()).isEqualTo(DirectiveBits.NONE);
  }

  @Test
  void whatIsInUseOfALimitDropsNothingAndIsKeptUntilTheTimeIsOver() {
    long inUse = Directive.inUse(0.8).toBits();
    apply(
        ttl(5_000).addBucket(1).addLevel(Directive.IN_USE_LEVEL).addAccept(Directive.accept(0.8)));

    assertThat(one.inForce()).isEqualTo(inUse);
    assertThat(dropRatio(one)).isZero();
    after(10);
    assertThat(one.inForce()).isEqualTo(inUse);
    after(6);
    assertThat(one.inForce()).isEqualTo(DirectiveBits.NONE);
  }

  @Test
  void columnsOfZerosMayBeLeftOut() {
    apply(ttl(5_000).addBucket(1));

    assertThat(one.directive()).isEqualTo(new Directive(0, 0).toBits());
  }

  @Test
  void numbersThatNoBucketHasAreIgnored() {
    apply(row(row(row(ttl(5_000), 3, 0.1), 0, 0.1), 1, 0.25));

    assertThat(one.directive()).isEqualTo(accept(0.25));
    assertThat(two.directive()).isEqualTo(DirectiveBits.NONE);
  }

  @Test
  void afterItsTimeToLiveADirectiveIsReleasedLinearly() {
    apply(row(ttl(5_000), 1, 0.4));

    after(4.999);
    assertThat(dropRatio(one)).isCloseTo(0.6, within(1e-6));
    after(5.001);
    assertThat(dropRatio(one)).isCloseTo(0.3, within(0.007));
    after(4);
    assertThat(dropRatio(one)).isCloseTo(0.06, within(0.007));
    after(1.1);
    assertThat(one.directive()).isEqualTo(DirectiveBits.NONE);
  }

  @Test
  void aRampOfZeroReleasesAtOnce() {
    Enforcement abrupt = new Enforcement(loop, 0);
    abrupt.apply(row(ttl(5_000), 1, 0.4).build(), numbers);

    after(4.999);
    assertThat(one.directive()).isEqualTo(accept(0.4));
    after(0.2);
    assertThat(one.directive()).isEqualTo(DirectiveBits.NONE);
  }

  @Test
  void anEmptyMessageRenewsWhatIsInForce() {
    apply(row(ttl(5_000), 1, 0.4));
    for (int second = 0; second < 20; second++) {
      after(1);
      apply(ttl(5_000));
    }

    after(4.9);

    assertThat(one.directive()).isEqualTo(accept(0.4));
  }

  @Test
  void aRenewalDuringOrAfterTheReleaseBringsDirectivesBackInFull() {
    apply(row(ttl(5_000), 1, 0.4));

    after(10);
    apply(ttl(5_000));
    assertThat(one.directive()).isEqualTo(accept(0.4));

    after(30);
    assertThat(one.directive()).isEqualTo(DirectiveBits.NONE);
    apply(ttl(5_000));
    assertThat(one.directive()).isEqualTo(accept(0.4));
  }

  @Test
  void aTimeToLiveOfZeroRenewsNothingAndCutsNothingShort() {
    apply(row(ttl(5_000), 1, 0.4));
    after(4);
    apply(ttl(0));
    assertThat(one.directive()).isEqualTo(accept(0.4));

    after(6);
    apply(ttl(0));

    assertThat(dropRatio(one)).isCloseTo(0.3, within(0.01));
  }

  @Test
  void aShorterTimeToLiveIsKeptTo() {
    apply(row(ttl(5_000), 1, 0.4));

    apply(ttl(1_000));

    after(6);
    assertThat(dropRatio(one)).isCloseTo(0.3, within(0.01));
  }

  @Test
  void aNewStreamRenewsNothingBeforeItHasDirectedABucket() {
    apply(row(ttl(5_000), 1, 0.4));
    after(3);
    numbers.clear();
    enforcement.streamChanged();

    apply(ttl(5_000));
    after(1.9);
    assertThat(one.directive()).isEqualTo(accept(0.4));
    after(5.1);
    assertThat(dropRatio(one)).isCloseTo(0.3, within(0.01));

    numbers.define(two);
    apply(ttl(5_000).addBucket(1).addLevel(255).addAccept(0));
    assertThat(one.directive()).isEqualTo(accept(0.4));
  }

  @Test
  void aMessageThatMakesNoSenseChangesNothing() {
    apply(row(ttl(5_000), 1, 0.4));

    assertThatThrownBy(() -> apply(ttl(5_000).addBucket(1).addLevel(12).addAccept(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("directives: level 12 (expected: 0 to 11, 254 or 255)");
    assertThatThrownBy(() -> apply(ttl(5_000).addBucket(1).addBucket(2).addLevel(3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("directives: 1 rows of level (expected: 0 or 2)");
    assertThatThrownBy(() -> apply(ttl(5_000).addBucket(1).addLevel(-1).addAccept(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("directives: level 4294967295 (expected: 0 to 11, 254 or 255)");
    assertThat(one.directive()).isEqualTo(accept(0.4));
  }
}
