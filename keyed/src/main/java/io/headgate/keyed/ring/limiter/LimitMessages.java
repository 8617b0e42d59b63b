package io.headgate.keyed.ring.limiter;

import io.headgate.core.limit.FixedWindow;
import io.headgate.core.limit.Gcra;
import io.headgate.core.limit.Inheritance;
import io.headgate.core.limit.LeakyBucket;
import io.headgate.core.limit.Limit;
import io.headgate.core.limit.Refill;
import io.headgate.core.limit.SegmentedWindow;
import io.headgate.core.limit.SlidingCounter;
import io.headgate.core.limit.SlidingLog;
import io.headgate.core.limit.TokenBucket;
import io.headgate.keyed.Hit;
import io.headgate.keyed.NamedLimit;
import io.headgate.protocol.ring.v1.DecideRequest;
import io.headgate.protocol.ring.v1.NamedLimit.Kind;
import java.time.Duration;
import java.util.List;

/** Hits and their limits as messages. */
final class LimitMessages {

  private LimitMessages() {}

  static DecideRequest.Hit message(Hit hit) {
    return DecideRequest.Hit.newBuilder()
        .setLimit(message(hit.limit()))
        .setKey(hit.key())
        .setCost(hit.cost())
        .build();
  }

  private static io.headgate.protocol.ring.v1.NamedLimit message(NamedLimit limit) {
    io.headgate.protocol.ring.v1.NamedLimit.Builder message =
        io.headgate.protocol.ring.v1.NamedLimit.newBuilder()
            .setName(limit.name())
            .setInheritance(limit.inheritance().ordinal())
            .setShadow(limit.shadow());
    describe(limit.limit(), message);
    return message.build();
  }

  private static void describe(
      Limit limit, io.headgate.protocol.ring.v1.NamedLimit.Builder message) {
    if (limit instanceof TokenBucket bucket) {
      message
          .setKind(Kind.TOKEN_BUCKET)
          .addNumbers(bucket.capacity())
          .addNumbers(bucket.refillTokens())
          .addNumbers(bucket.refillPeriod().toNanos())
          .addNumbers(bucket.refill().ordinal())
          .addNumbers(bucket.initialTokens());
    } else if (limit instanceof LeakyBucket bucket) {
      message
          .setKind(Kind.LEAKY_BUCKET)
          .addNumbers(bucket.capacity())
          .addNumbers(bucket.leak())
          .addNumbers(bucket.period().toNanos());
    } else if (limit instanceof Gcra gcra) {
      message
          .setKind(Kind.GCRA)
          .addNumbers(gcra.permits())
          .addNumbers(gcra.period().toNanos())
          .addNumbers(gcra.maxBurst());
    } else if (limit instanceof SegmentedWindow window) {
      message
          .setKind(Kind.SEGMENTED_WINDOW)
          .addNumbers(window.limit())
          .addNumbers(window.window().toNanos())
          .addNumbers(window.segmentsPerWindow())
          .addNumbers(window.strict() ? 1 : 0);
    } else if (limit instanceof FixedWindow window) {
      window(Kind.FIXED_WINDOW, window.limit(), window.window(), message);
    } else if (limit instanceof SlidingLog window) {
      window(Kind.SLIDING_LOG, window.limit(), window.window(), message);
    } else if (limit instanceof SlidingCounter window) {
      window(Kind.SLIDING_COUNTER, window.limit(), window.window(), message);
    }
  }

  private static void window(
      Kind kind,
      long limit,
      Duration window,
      io.headgate.protocol.ring.v1.NamedLimit.Builder message) {
    message.setKind(kind).addNumbers(limit).addNumbers(window.toNanos());
  }

  /**
   * A hit that came as a message.
   *
   * @throws IllegalArgumentException if it makes no sense
   */
  static Hit hit(DecideRequest.Hit message) {
    io.headgate.protocol.ring.v1.NamedLimit limit = message.getLimit();
    Inheritance inheritance = at(Inheritance.values(), limit.getInheritance(), "inheritance");
    return new Hit(
        new NamedLimit(limit.getName(), limit(limit), inheritance, limit.getShadow()),
        message.getKey(),
        message.getCost());
  }

  private static Limit limit(io.headgate.protocol.ring.v1.NamedLimit message) {
    List<Long> n = message.getNumbersList();
    int expected =
        switch (message.getKind()) {
          case TOKEN_BUCKET -> 5;
          case SEGMENTED_WINDOW -> 4;
          case LEAKY_BUCKET, GCRA -> 3;
          default -> 2;
        };
    if (n.size() != expected) {
      throw new IllegalArgumentException(
          "numbers of " + message.getKind() + ": " + n.size() + " (expected: " + expected + ")");
    }
    return switch (message.getKind()) {
      case TOKEN_BUCKET ->
          new TokenBucket(
              n.get(0),
              n.get(1),
              nanos(n.get(2)),
              at(Refill.values(), n.get(3), "refill"),
              n.get(4));
      case LEAKY_BUCKET -> new LeakyBucket(n.get(0), n.get(1), nanos(n.get(2)));
      case GCRA -> new Gcra(n.get(0), nanos(n.get(1)), n.get(2));
      case FIXED_WINDOW -> new FixedWindow(n.get(0), nanos(n.get(1)));
      case SLIDING_LOG -> new SlidingLog(n.get(0), nanos(n.get(1)));
      case SLIDING_COUNTER -> new SlidingCounter(n.get(0), nanos(n.get(1)));
      case SEGMENTED_WINDOW ->
          new SegmentedWindow(n.get(0), nanos(n.get(1)), Math.toIntExact(n.get(2)), n.get(3) != 0);
      default ->
          throw new IllegalArgumentException(
              "kind of limit: " + message.getKindValue() + " (expected: 1 to 7)");
    };
  }

  private static Duration nanos(long nanos) {
    return Duration.ofNanos(nanos);
  }

  private static <T> T at(T[] values, long index, String what) {
    if (index < 0 || index >= values.length) {
      throw new IllegalArgumentException(
          what + ": " + index + " (expected: 0 to " + (values.length - 1) + ")");
    }
    return values[(int) index];
  }
}
