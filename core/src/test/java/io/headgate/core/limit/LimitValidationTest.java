package io.headgate.core.limit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A bad number is an error that names the property, the value and what was expected. */
class LimitValidationTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  static Stream<Arguments> mistakes() {
    return Stream.of(
        mistake(
            () -> TokenBucket.of(0, 1, SECOND), "capacity: 0 (expected: 1 to 9007199254740991)"),
        mistake(
            () -> TokenBucket.of(1, -5, SECOND),
            "refillTokens: -5 (expected: 1 to 9007199254740991)"),
        mistake(
            () -> TokenBucket.of(1, 1, Duration.ZERO),
            "refillPeriod: PT0S (expected: above 0, at most 3650 days)"),
        mistake(
            () -> TokenBucket.of(5, 1, SECOND).withInitialTokens(6),
            "initialTokens: 6 (expected: 0 to 5)"),
        mistake(
            () -> new LeakyBucket(0, 1, SECOND), "capacity: 0 (expected: 1 to 9007199254740991)"),
        mistake(() -> new LeakyBucket(1, 0, SECOND), "leak: 0 (expected: 1 to 9007199254740991)"),
        mistake(
            () -> new LeakyBucket(1, 1, Duration.ofDays(3651)),
            "period: PT87624H (expected: above 0, at most 3650 days)"),
        mistake(() -> new Gcra(0, SECOND, 0), "permits: 0 (expected: 1 to 9007199254740991)"),
        mistake(() -> new Gcra(1, SECOND, -1), "maxBurst: -1 (expected: 0 to 9007199254740990)"),
        mistake(
            () -> new FixedWindow(Long.MAX_VALUE, SECOND),
            "limit: 9223372036854775807 (expected: 1 to 9007199254740991)"),
        mistake(
            () -> new FixedWindow(1, Duration.ofSeconds(-1)),
            "window: PT-1S (expected: above 0, at most 3650 days)"),
        mistake(() -> new SlidingLog(1_000_001, SECOND), "limit: 1000001 (expected: 1 to 1000000)"),
        mistake(
            () -> new SlidingCounter(-1, SECOND), "limit: -1 (expected: 1 to 9007199254740991)"),
        mistake(
            () -> SegmentedWindow.of(1, SECOND, 0), "segmentsPerWindow: 0 (expected: 1 to 10000)"),
        mistake(
            () -> SegmentedWindow.of(1, SECOND, 3),
            "segmentsPerWindow: 3 (expected: a divisor of the window, 1000000000 ns)"),
        mistake(() -> new ConcurrencyLimiter(0), "limit: 0 (expected: 1 to 9007199254740991)"),
        mistake(
            () -> new FixedWindow(1, SECOND).newLimiter(0).take(-1, 0),
            "cost: -1 (expected: 0 or more)"),
        mistake(
            () -> new FixedWindow(1, SECOND).newLimiter(0).refund(-1, 0, 0),
            "permits: -1 (expected: 0 or more)"));
  }

  private static Arguments mistake(ThrowingCallable construction, String message) {
    return Arguments.of(Named.of(message, construction), message);
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void namesTheMistake(ThrowingCallable construction, String message) {
    assertThatThrownBy(construction)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
