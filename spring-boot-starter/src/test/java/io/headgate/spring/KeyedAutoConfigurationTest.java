package io.headgate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.limit.FixedWindow;
import io.headgate.keyed.KeyedLimiter;
import io.headgate.keyed.NamedLimit;
import io.headgate.keyed.local.LocalKeyedLimiter;
import io.headgate.keyed.redis.RedisKeyedLimiter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

class KeyedAutoConfigurationTest {

  private static final String[] TRANSFERS = {
    "headgate.keyed.policies[0].name=transfers",
    "headgate.keyed.policies[0].path=/api/transfers",
    "headgate.keyed.policies[0].methods=POST",
    "headgate.keyed.policies[0].key=header:X-Customer",
    "headgate.keyed.policies[0].limit=10",
    "headgate.keyed.policies[0].window=60s",
  };

  private final WebApplicationContextRunner application =
      new WebApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(KeyedAutoConfiguration.class));

  @Test
  void limitsInTheProcessByDefault() {
    application
        .withPropertyValues(TRANSFERS)
        .run(
            context -> {
              assertThat(context).hasSingleBean(LocalKeyedLimiter.class);
              assertThat(context).hasBean("headgateKeyedLimitFilter");
            });
  }

  @Test
  void limitsByRedisWhereItIsNamed() {
    application
        .withPropertyValues(TRANSFERS)
        .withPropertyValues("headgate.keyed.redis.uri=redis://127.0.0.1:1")
        .run(context -> assertThat(context).hasSingleBean(RedisKeyedLimiter.class));
  }

  @Test
  void needsNeitherRedisNorTokensNorMetrics() {
    application
        .withPropertyValues(TRANSFERS)
        .withClassLoader(new FilteredClassLoader("io.lettuce", "com.nimbusds", "io.micrometer"))
        .run(context -> assertThat(context).hasSingleBean(LocalKeyedLimiter.class));
  }

  @Test
  void countsInTheRegistryOfTheApplication() {
    application
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(
            context -> {
              NamedLimit limit = NamedLimit.of("x", new FixedWindow(1, Duration.ofSeconds(1)));
              context.getBean(KeyedLimiter.class).check(limit, "42", 1);
              assertThat(
                      context
                          .getBean(MeterRegistry.class)
                          .get("headgate.keyed.decisions")
                          .counter()
                          .count())
                  .isEqualTo(1);
            });
  }

  @Test
  void aMistakeStopsTheApplicationAndNamesTheProperty() {
    application
        .withPropertyValues(TRANSFERS)
        .withPropertyValues("headgate.keyed.policies[0].limit=0")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasRootCauseMessage("limit: 0 (expected: 1 to 1000000)")
                    .hasStackTraceContaining("headgate.keyed.policies (transfers): limit: 0"));
    application
        .withPropertyValues(TRANSFERS)
        .withPropertyValues("headgate.keyed.policies[0].key=claim:sub")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining(
                        "key: claim:sub (expected: headgate.keyed.token says how tokens are"
                            + " verified)"));
    application
        .withPropertyValues(TRANSFERS)
        .withPropertyValues("headgate.keyed.policies[0].algorithm=guess")
        .run(context -> assertThat(context).hasFailed());
  }

  @Test
  void theKeysOfAnIssuerAndTheAddressesOfProxiesAreSettings() {
    application
        .withPropertyValues(TRANSFERS)
        .withPropertyValues(
            "headgate.keyed.policies[0].key=claim:sub",
            "headgate.keyed.token.keys=https://issuer.example/keys",
            "headgate.keyed.token.issuer=https://issuer.example",
            "headgate.keyed.token.audience=payments",
            "headgate.keyed.trusted-proxies=10.0.0.0/8,2001:db8::/32",
            "headgate.keyed.longest-wait=200ms")
        .run(context -> assertThat(context).hasBean("headgateKeyedLimitFilter"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "token.keys=ftp://issuer.example | keys: ftp://issuer.example (expected: an https:",
        "token.keys=https://a.example,token.algorithms=HS256 | algorithms: [HS256] (expected:",
        "token.issuer=a | headgate.keyed.token: neither of shared-secret and keys",
        "token.keys=https://a.example,token.shared-secret=x | headgate.keyed.token: both of",
        "token.shared-secret=short | secret: 5 bytes (expected: 32 at least)",
        "trusted-proxies=proxy.example | trusted proxies: 'proxy.example' (expected: a range",
        "trusted-proxies=10.0.0.0/8,proxies=1 | headgate.keyed: both proxies and trusted-proxies",
        "longest-wait=0s | longest wait: PT0S (expected: above 0)",
      })
  void mistakesInThemAreNamed(String settings, String message) {
    application
        .withPropertyValues(TRANSFERS)
        .withPropertyValues("headgate.keyed.policies[0].key=claim:sub")
        .withPropertyValues(
            Arrays.stream(settings.split(","))
                .map(setting -> "headgate.keyed." + setting)
                .toArray(String[]::new))
        .withPropertyValues(
            settings.startsWith("token")
                ? "unused=1"
                : "headgate.keyed.token.keys=https://issuer.example/keys")
        .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining(message));
  }

  @Test
  void aLimiterOverRedisHasMeters() {
    application
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withPropertyValues("headgate.keyed.redis.uri=redis://127.0.0.1:1")
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              context.getBean(MeterBinder.class).bindTo(registry);
              assertThat(registry.get("headgate.keyed.redis.lost.states").functionCounter().count())
                  .isZero();
              assertThat(registry.get("headgate.keyed.redis.degraded").gauge().value()).isZero();
            });
  }

  @Test
  void canBeSwitchedOff() {
    application
        .withPropertyValues("headgate.keyed.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(KeyedLimiter.class));
  }

  @Test
  void propertiesAreDescribedForEditors() throws Exception {
    try (var in = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .contains("\"headgate.keyed.policies\"")
          .contains("\"headgate.keyed.trusted-proxies\"")
          .contains("\"headgate.keyed.longest-wait\"")
          .contains("\"headgate.keyed.token.keys\"")
          .contains("the https: or file: address of the JSON Web Key Set")
          .contains("whether requests are limited at all");
    }
  }
}
