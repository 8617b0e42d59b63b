package io.headgate.envoy.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.headgate.envoy.ratelimit.rules.LimitCheck;
import io.headgate.envoy.ratelimit.rules.LimitUnit;
import io.headgate.envoy.ratelimit.rules.RateLimitRules;
import io.headgate.envoy.ratelimit.rules.RuleFiles;
import io.headgate.envoy.ratelimit.stats.RateLimitStats;
import io.headgate.keyed.local.LocalKeyedLimiter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/**
 * Fixed windows against what envoyproxy/ratelimit does: a counter for each (key, unix time divided
 * by the unit's seconds), to which the hits of every request are added, and which is over when it
 * is above the limit.
 */
class FixedWindowParityTest {

  /** As long ago as 1970 and as late as 2100. */
  private static final long LAST = 4_102_444_800L;

  /** A domain must be known for limits that come with requests to hold. */
  private static final RateLimitRules RULES = rules();

  private static RateLimitRules rules() {
    try {
      Path file = Files.createTempFile("rules", ".yaml");
      Files.writeString(file, "domain: d");
      try {
        return new RuleFiles(LimitCheck.NONE, false, Set.of()).read(file).rules();
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Property(tries = 1_000)
  void windowsBeginWhereTheOriginalsDo(
      @ForAll LimitUnit unit,
      @ForAll @LongRange(min = 0, max = LAST) long start,
      @ForAll @IntRange(min = 1, max = 8) int limit,
      @ForAll @Size(max = 40) List<@LongRange(min = 0, max = 1_000) Long> pausesInThousandths,
      @ForAll @Size(min = 40, max = 40) List<@IntRange(min = 1, max = 4) Integer> hits) {
    AtomicLong nowMillis = new AtomicLong(start * 1000);
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      RateLimitService service =
          new RateLimitService(
              () -> RULES,
              LocalKeyedLimiter.builder()
                  .nanoClock(() -> TimeUnit.MILLISECONDS.toNanos(nowMillis.get()))
                  .build(),
              ServiceSettings.DEFAULT,
              new RateLimitStats(),
              () -> TimeUnit.MILLISECONDS.toNanos(nowMillis.get()),
              nowMillis::get,
              timer);
      Map<Long, Long> counters = new HashMap<>();
      long seconds = unit.length().toSeconds();
      for (int i = 0; i < pausesInThousandths.size(); i++) {
        // Up to half a unit, so that some steps stay in a window and some leave it.
        nowMillis.addAndGet(pausesInThousandths.get(i) * seconds / 2);
        long window = nowMillis.get() / 1000 / seconds;
        long counted = counters.merge(window, (long) hits.get(i), Long::sum);

        RateLimitResponse response = ask(service, unit, limit, hits.get(i));
        assertThat(response.getOverallCode())
            .isEqualTo(counted > limit ? Code.OVER_LIMIT : Code.OK);
        if (counted <= limit) {
          assertThat(response.getStatuses(0).getLimitRemaining()).isEqualTo(limit - counted);
        }
        assertThat(response.getStatuses(0).getDurationUntilReset().getSeconds())
            .isEqualTo(seconds - Math.floorDiv(nowMillis.get(), 1000) % seconds);
      }
    } finally {
      timer.shutdownNow();
    }
  }

  private static RateLimitResponse ask(
      RateLimitService service, LimitUnit unit, int limit, int hits) {
    RateLimitDescriptor.Builder descriptor =
        RateLimitDescriptor.newBuilder()
            .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey("k").setValue("v"));
    descriptor.getLimitBuilder().setRequestsPerUnit(limit).setUnitValue(unit.number());
    return service
        .decide(
            RateLimitRequest.newBuilder()
                .setDomain("d")
                .addDescriptors(descriptor)
                .setHitsAddend(hits)
                .build(),
            Long.MAX_VALUE)
        .toCompletableFuture()
        .join();
  }
}
