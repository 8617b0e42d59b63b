package io.headgate.control.controller;

import static io.headgate.control.controller.TestRegion.perCaller;
import static io.headgate.control.controller.TestRegion.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.shed.Directive;
import io.headgate.protocol.v1.Directives;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManyBucketsTest {

  private static final double LIMIT = 1_000;

  /** A directive has its number, its level and its threshold; here with all of the framing. */
  private static final int DIRECTIVE_BYTES = 10;

  private final TestRegion region = new TestRegion();

  @Test
  void ofFiftyThousandCallersOnlyTheOneAboveItsLimitIsDirected() {
    region.rules(rules(1, perCaller("each", LIMIT)));
    TestAggregator aggregator = region.aggregator("a", "eu-1", caller(1), 3 * LIMIT);
    for (int rank = 2; rank <= 50_000; rank++) {
      // Zipf's law with exponent 1.1 puts the second at 0.47 of the first, which has 3 limits.
      aggregator.offer(caller(rank), Math.min(0.49 * LIMIT, 3 * LIMIT * Math.pow(rank, -1.1)));
    }

    region.runFor(4);

    assertThat(aggregator.accept(caller(1))).isCloseTo(1 / 3.0, within(1e-6));
    List<Directives> directives = aggregator.takeDirectives();
    assertThat(directives).isNotEmpty();
    assertThat(directives.stream().mapToInt(Directives::getBucketCount).sum()).isEqualTo(1);
    assertThat(directives).allMatch(message -> message.getSerializedSize() <= 32);
    assertThat(aggregator.directive(caller(2))).isEqualTo(Directive.NONE);
  }

  @Test
  void tenThousandCallersAboveTheirLimitsLoseTheSameShareEach() {
    region.rules(rules(1, perCaller("each", LIMIT)));
    TestAggregator one = region.aggregator("a", "eu-1", caller(0), LIMIT);
    TestAggregator other = region.aggregator("b", "eu-2", caller(0), 0.5 * LIMIT);
    for (int rank = 1; rank < 10_000; rank++) {
      one.offer(caller(rank), LIMIT);
      other.offer(caller(rank), 0.5 * LIMIT);
    }

    region.runFor(4);

    int most = 0;
    for (Directives message : one.takeDirectives()) {
      most =
          Math.max(most, message.getSerializedSize() - DIRECTIVE_BYTES * message.getBucketCount());
    }
    assertThat(most).isLessThanOrEqualTo(32);
    for (int rank = 0; rank < 10_000; rank++) {
      assertThat(one.accept(caller(rank))).isCloseTo(2 / 3.0, within(1e-6));
      assertThat(other.accept(caller(rank))).isCloseTo(2 / 3.0, within(1e-6));
    }
  }

  private static BucketKey caller(int rank) {
    return new BucketKey("shop", "each", "caller-" + rank, "");
  }
}
