package io.headgate.envoy.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.UInt64Value;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.headgate.envoy.ratelimit.rules.LimitCheck;
import io.headgate.envoy.ratelimit.rules.RateLimitRules;
import io.headgate.envoy.ratelimit.rules.RuleFiles;
import io.headgate.envoy.ratelimit.stats.DescriptorStats;
import io.headgate.envoy.ratelimit.stats.RateLimitStats;
import io.headgate.envoy.ratelimit.stats.RateLimitStats.Event;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.local.LocalKeyedLimiter;
import io.headgate.keyed.redis.OutagePolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decisions on requests, by a clock of the test that begins 20 s into a minute. */
class RateLimitServiceTest {

  private static final String RULES =
      """
      domain: shop
      descriptors:
        - key: user
          rate_limit: { name: per-user, unit: minute, requests_per_unit: 10 }
        - key: burst
          rate_limit: { name: burst, unit: second, requests_per_unit: 2 }
        - key: free
          rate_limit: { unlimited: true, replaces: [{ name: per-user }] }
        - key: banned
          rate_limit: { unit: hour, requests_per_unit: 0 }
        - key: watched
          shadow_mode: true
          rate_limit: { unit: minute, requests_per_unit: 1 }
        - key: quota
          quota_mode: true
          metadata: { plan: gold }
          rate_limit: { unit: minute, requests_per_unit: 2 }
        - key: smooth
          rate_limit: { unit: minute, requests_per_unit: 6, algorithm: gcra }
      """;

  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor();
  private static final Duration LATE = Duration.ofMillis(20);

  @TempDir private Path directory;

  private final AtomicLong now =
      new AtomicLong(TimeUnit.MINUTES.toNanos(29_000_000) + TimeUnit.SECONDS.toNanos(20));
  private final LocalKeyedLimiter local = LocalKeyedLimiter.builder().nanoClock(now::get).build();
  private final RateLimitStats stats = new RateLimitStats();
  private RateLimitService service = service(ServiceSettings.DEFAULT, local);

  @AfterAll
  static void end() {
    TIMER.shutdownNow();
  }

  private RateLimitService service(ServiceSettings settings, KeyedLimiter limiter) {
    return new RateLimitService(
        this::rules,
        limiter,
        settings,
        stats,
        now::get,
        () -> TimeUnit.NANOSECONDS.toMillis(now.get()),
        TIMER);
  }

  private RateLimitRules rules() {
    try {
      Path file = directory.resolve("rules.yaml");
      if (!Files.exists(file)) {
        Files.writeString(file, RULES);
      }
      RuleFiles.Loaded loaded = new RuleFiles(LimitCheck.NONE, false, Set.of()).read(directory);
      assertThat(loaded.problems()).isEmpty();
      return loaded.rules();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static ServiceSettings settings(
      boolean shadow, boolean quota, HeaderSettings headers, OutagePolicy policy) {
    return new ServiceSettings(
        shadow, quota, 0.8, headers, true, policy, ServiceSettings.DEFAULT.answerWithin());
  }

  private static RateLimitDescriptor.Builder descriptor(String key, String value) {
    return RateLimitDescriptor.newBuilder()
        .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue(value));
  }

  private static RateLimitDescriptor.Builder hits(RateLimitDescriptor.Builder of, long hits) {
    return of.setHitsAddend(UInt64Value.of(hits));
  }

  private static RateLimitDescriptor.Builder negative(RateLimitDescriptor.Builder of, long hits) {
    return hits(of, hits)
        .setUnknownFields(
            UnknownFieldSet.newBuilder()
                .addField(4, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                .build());
  }

  private RateLimitResponse ask(RateLimitDescriptor.Builder... descriptors) {
    return ask(0, descriptors);
  }

  private RateLimitResponse ask(int hits, RateLimitDescriptor.Builder... descriptors) {
    RateLimitRequest.Builder request =
        RateLimitRequest.newBuilder().setDomain("shop").setHitsAddend(hits);
    List.of(descriptors).forEach(request::addDescriptors);
    return service.decide(request.build(), Long.MAX_VALUE).toCompletableFuture().join();
  }

  private long left(String key, String value) {
    return ask(hits(descriptor(key, value), 0)).getStatuses(0).getLimitRemaining();
  }

  private static String headers(RateLimitResponse response) {
    return response.getResponseHeadersToAddList().stream()
        .map(header -> header.getKey() + ": " + header.getValue())
        .collect(Collectors.joining("\n"));
  }

  @Test
  void theLimitPassesAndNoMoreUntilTheNextMinuteBegins() {
    for (int left = 9; left >= 0; left--) {
      RateLimitResponse response = ask(descriptor("user", "ann"));
      assertThat(response.getOverallCode()).isEqualTo(Code.OK);
      assertThat(response.getStatuses(0).getLimitRemaining()).isEqualTo(left);
    }
    RateLimitResponse over = ask(descriptor("user", "ann"));
    DescriptorStatus status = over.getStatuses(0);
    assertThat(over.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(status.getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(status.getCurrentLimit().getName()).isEqualTo("per-user");
    assertThat(status.getCurrentLimit().getRequestsPerUnit()).isEqualTo(10);
    assertThat(status.getCurrentLimit().getUnit())
        .isEqualTo(RateLimitResponse.RateLimit.Unit.MINUTE);
    assertThat(status.getDurationUntilReset().getSeconds()).isEqualTo(40);
    assertThat(headers(over)).isEqualTo("Retry-After: 40");
    assertThat(ask(descriptor("user", "bob")).getOverallCode()).isEqualTo(Code.OK);

    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(39_999));
    assertThat(ask(descriptor("user", "ann")).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    assertThat(ask(descriptor("user", "ann")).getOverallCode()).isEqualTo(Code.OK);
  }

  @Test
  void statusesAreInTheOrderOfTheDescriptorsAndNoRuleMeansOk() {
    RateLimitResponse response =
        ask(descriptor("burst", "x"), descriptor("nobody", "x"), descriptor("user", "x"));

    assertThat(response.getStatusesList())
        .extracting(status -> status.getCurrentLimit().getName())
        .containsExactly("burst", "", "per-user");
    assertThat(response.getStatuses(1).getCode()).isEqualTo(Code.OK);
    assertThat(stats.total(Event.UNMATCHED)).isEqualTo(1);
  }

  @Test
  void oneDescriptorOverItsLimitDoesNotChargeTheOthers() {
    ask(2, descriptor("burst", "x"));
    RateLimitResponse response = ask(descriptor("user", "x"), descriptor("burst", "x"));

    assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(response.getStatusesList())
        .extracting(DescriptorStatus::getCode)
        .containsExactly(Code.OK, Code.OVER_LIMIT);
    assertThat(response.getStatuses(0).getLimitRemaining()).isEqualTo(10);
    assertThat(left("user", "x")).isEqualTo(10);
  }

  @Test
  void hitsOfADescriptorGoBeforeThoseOfTheRequestAndNoneIsAProbe() {
    ask(3, hits(descriptor("user", "a"), 5), descriptor("user", "b"));

    assertThat(left("user", "a")).isEqualTo(5);
    assertThat(left("user", "b")).isEqualTo(7);
    ask(7, descriptor("user", "b"));
    assertThat(ask(hits(descriptor("user", "b"), 0)).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void twoDescriptorsOfOneKeyCountTogether() {
    RateLimitResponse response = ask(4, descriptor("user", "x"), descriptor("user", "x"));

    assertThat(response.getStatusesList())
        .extracting(DescriptorStatus::getLimitRemaining)
        .containsExactly(2, 2);
  }

  @Test
  void severalHitsThatAreTooManyUseUpWhatIsLeft() {
    ask(4, descriptor("user", "x"));
    assertThat(ask(7, descriptor("user", "x")).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(ask(descriptor("user", "x")).getOverallCode()).isEqualTo(Code.OVER_LIMIT);

    assertThat(ask(100, descriptor("user", "y")).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(ask(descriptor("user", "y")).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void negativeHitsGiveBackWhatWasTaken() {
    ask(10, descriptor("user", "x"));
    RateLimitResponse response = ask(negative(descriptor("user", "x"), 3));

    assertThat(response.getOverallCode()).isEqualTo(Code.OK);
    assertThat(response.getStatuses(0).getLimitRemaining()).isEqualTo(3);
    ask(negative(descriptor("user", "x"), 100));
    assertThat(left("user", "x")).isEqualTo(10);
  }

  @Test
  void aBanRefusesAndChargesNobody() {
    RateLimitResponse response = ask(descriptor("user", "x"), descriptor("banned", "x"));

    assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(response.getStatuses(1).getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(response.getStatuses(1).getLimitRemaining()).isZero();
    assertThat(response.getStatuses(1).getDurationUntilReset().getSeconds())
        .isEqualTo(3600 - Math.floorMod(TimeUnit.NANOSECONDS.toSeconds(now.get()), 3600));
    assertThat(headers(response)).as("no wait helps").isEmpty();
    assertThat(left("user", "x")).isEqualTo(10);
  }

  @Test
  void anUnlimitedDescriptorPassesAndReplacesOthers() {
    ask(10, descriptor("user", "x"));
    RateLimitResponse response = ask(descriptor("user", "x"), descriptor("free", "x"));

    assertThat(response.getOverallCode()).isEqualTo(Code.OK);
    assertThat(response.getStatuses(0))
        .isEqualTo(DescriptorStatus.newBuilder().setCode(Code.OK).build());
    assertThat(Integer.toUnsignedLong(response.getStatuses(1).getLimitRemaining()))
        .isEqualTo(4_294_967_295L);
  }

  @Test
  void shadowIsCountedAndNeverRefuses() {
    ask(descriptor("watched", "x"));
    RateLimitResponse response = ask(descriptor("watched", "x"), descriptor("user", "x"));

    assertThat(response.getOverallCode()).isEqualTo(Code.OK);
    assertThat(response.getStatuses(0).getCode()).isEqualTo(Code.OK);
    assertThat(response.getStatuses(1).getLimitRemaining()).isEqualTo(9);
    assertThat(stats.of("shop.watched").shadow()).isEqualTo(1);
  }

  @Test
  void aRequestIsOverOnlyIfItIsOverAllItsQuotas() {
    ask(2, descriptor("quota", "a"));
    assertThat(ask(descriptor("quota", "a"), descriptor("quota", "b")).getOverallCode())
        .isEqualTo(Code.OK);
    ask(descriptor("quota", "a"), descriptor("quota", "b"));

    RateLimitResponse response =
        ask(descriptor("quota", "a"), descriptor("quota", "b"), descriptor("user", "x"));
    assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(left("user", "x")).isEqualTo(10);
    assertThat(ask(descriptor("quota", "a")).getOverallCode())
        .as("alone it is a limit like any other")
        .isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void allLimitsCanBeQuotas() {
    service = service(settings(false, true, HeaderSettings.DEFAULT, OutagePolicy.LOCAL), local);
    ask(2, descriptor("burst", "x"));
    assertThat(ask(descriptor("user", "x"), descriptor("burst", "x")).getOverallCode())
        .isEqualTo(Code.OK);
  }

  @Test
  void inGlobalShadowModeNothingIsRefused() {
    service = service(settings(true, false, HeaderSettings.DEFAULT, OutagePolicy.LOCAL), local);
    ask(10, descriptor("user", "x"));
    RateLimitResponse response = ask(descriptor("user", "x"), descriptor("banned", "x"));

    assertThat(response.getOverallCode()).isEqualTo(Code.OK);
    assertThat(response.getStatuses(0).getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(stats.total(Event.GLOBAL_SHADOW)).isEqualTo(1);
  }

  @Test
  void gcraLetsPassEvenly() {
    ask(6, descriptor("smooth", "x"));
    RateLimitResponse response = ask(descriptor("smooth", "x"));
    assertThat(headers(response)).isEqualTo("Retry-After: 10");
    now.addAndGet(TimeUnit.SECONDS.toNanos(10));
    assertThat(ask(descriptor("smooth", "x")).getOverallCode()).isEqualTo(Code.OK);
    assertThat(ask(descriptor("smooth", "x")).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void headersThatEnvoyCannotMakeAreThereOnRequest() {
    HeaderSettings all =
        new HeaderSettings(
            true, true, new HeaderSettings.Names("RateLimit-Limit", "X-Left", "RateLimit-Reset"));
    service = service(settings(false, false, all, OutagePolicy.LOCAL), local);

    ask(2, descriptor("burst", "x"));
    assertThat(headers(ask(descriptor("burst", "x"), descriptor("user", "x"))))
        .isEqualTo(
            """
            Retry-After: 1
            RateLimit-Policy: "burst";q=2;w=1, "per-user";q=10;w=60
            RateLimit: "burst";r=0;t=1
            RateLimit-Limit: 2
            X-Left: 0
            RateLimit-Reset: 1""");
    RateLimitResponse hopeless = ask(3, descriptor("burst", "y"));
    assertThat(headers(hopeless)).doesNotContain("Retry-After").contains("r=0;t=1");
  }

  @Test
  void answersBringWhatTheRuleWantsTold() {
    service = service(settings(false, false, HeaderSettings.DEFAULT, OutagePolicy.LOCAL), local);
    RateLimitResponse response = ask(descriptor("quota", "x"));

    assertThat(response.getDynamicMetadata().getFieldsOrThrow("domain").getStringValue())
        .isEqualTo("shop");
    assertThat(response.getDynamicMetadata().toString()).contains("quota=x", "gold");
  }

  @Test
  void theCountsOfALimitSayWhatBecameOfItsHits() {
    for (int i = 0; i < 4; i++) {
      ask(3, descriptor("user", "x"));
    }
    DescriptorStats counts = stats.of("shop.user");

    assertThat(counts.total()).isEqualTo(12);
    assertThat(counts.within()).isEqualTo(9);
    assertThat(counts.near()).as("above 8").isEqualTo(1);
    assertThat(counts.over()).isEqualTo(3);
  }

  @Test
  void aRequestWithoutDomainOrDescriptorsIsRefused() {
    assertThatThrownBy(() -> service.decide(RateLimitRequest.getDefaultInstance(), 1))
        .hasMessage("rate limit domain must not be empty");
    assertThatThrownBy(
            () -> service.decide(RateLimitRequest.newBuilder().setDomain("a").build(), 1))
        .hasMessage("rate limit descriptor list must not be empty");
  }

  @Test
  void anUnknownDomainIsOkAndCounted() {
    RateLimitRequest request =
        RateLimitRequest.newBuilder()
            .setDomain("other")
            .addDescriptors(descriptor("user", "x"))
            .build();
    assertThat(service.decide(request, 1).toCompletableFuture().join().getOverallCode())
        .isEqualTo(Code.OK);
    assertThat(stats.total(Event.UNKNOWN_DOMAIN)).isEqualTo(1);
  }

  /** What counts and does not answer. */
  private static final class Silent implements KeyedLimiter {
    @Override
    public CompletionStage<KeyedDecision> check(List<Hit> hits) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletionStage<KeyedDecision> restore(List<Hit> hits) {
      return new CompletableFuture<>();
    }

    @Override
    public void close() {}
  }

  @Test
  void aCallThatCannotWaitIsAnsweredByTheOutagePolicyBeforeItsTimeEnds() {
    for (OutagePolicy policy : OutagePolicy.values()) {
      service = service(settings(false, false, HeaderSettings.DEFAULT, policy), new Silent());
      RateLimitRequest request =
          RateLimitRequest.newBuilder()
              .setDomain("shop")
              .addDescriptors(descriptor("burst", policy.name()))
              .setHitsAddend(3)
              .build();
      RateLimitResponse response =
          service
              .decide(request, TimeUnit.MILLISECONDS.toNanos(8))
              .toCompletableFuture()
              .orTimeout(LATE.toMillis() * 100, TimeUnit.MILLISECONDS)
              .join();
      assertThat(response.getOverallCode())
          .as(policy.name())
          .isEqualTo(policy == OutagePolicy.OPEN ? Code.OK : Code.OVER_LIMIT);
    }
    assertThat(stats.total(Event.HURRIED)).isEqualTo(3);
  }
}
