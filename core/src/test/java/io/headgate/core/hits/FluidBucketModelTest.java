package io.headgate.core.hits;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.ZoneOffset;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A leaky bucket beside one that counts with fractions of any size. */
class FluidBucketModelTest {

  private static final long START = 1_573_430_400_000L;

  /** A request so long after the one before. */
  record Step(long afterMillis, long hits) {}

  /** Limits from a hit a day to a million a millisecond. */
  record Rate(long limit, long duration, long burst) {}

  @Provide
  Arbitrary<Rate> rates() {
    return Combinators.combine(
            Arbitraries.longs().between(1, 1_000_000),
            Arbitraries.longs().between(1, 86_400_000),
            Arbitraries.longs().between(0, 2_000_000))
        .as(Rate::new);
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 100_000), Arbitraries.longs().between(-20, 1_000))
        .as(Step::new)
        .list()
        .ofMaxSize(40);
  }

  @Property(tries = 10_000)
  void neverDiffers(@ForAll("rates") Rate rate, @ForAll("steps") List<Step> steps) {
    BigInteger period = BigInteger.valueOf(rate.duration());
    BigInteger full =
        BigInteger.valueOf(rate.burst() == 0 ? rate.limit() : rate.burst()).multiply(period);
    BigInteger room = full; // in parts of 1/period of a hit
    long now = START;
    Bucket bucket = null;
    for (Step step : steps) {
      now += step.afterMillis();
      HitRequest request =
          new HitRequest(
              step.hits(), rate.limit(), rate.duration(), rate.burst(), Algorithm.GCRA, 0, now);
      room = room.add(BigInteger.valueOf(step.afterMillis() * rate.limit())).min(full);
      HitAnswer answer;
      if (bucket == null) {
        bucket = Bucket.create(request, now, ZoneOffset.UTC);
        answer = bucket.first(request, now, ZoneOffset.UTC);
      } else {
        answer = bucket.hit(request, now, ZoneOffset.UTC);
      }
      BigInteger wanted = BigInteger.valueOf(step.hits()).multiply(period);
      boolean over = step.hits() > 0 && wanted.compareTo(room) > 0;
      if (!over) {
        room = room.subtract(wanted).min(full);
      }
      assertThat(answer.over()).isEqualTo(over);
      assertThat(answer.remaining()).isEqualTo(room.divide(period).longValueExact());
      BigInteger limit = BigInteger.valueOf(rate.limit());
      BigInteger wait = full.subtract(room).add(limit).subtract(BigInteger.ONE).divide(limit);
      assertThat(answer.resetAt()).isEqualTo(now + wait.longValueExact());
    }
  }
}
