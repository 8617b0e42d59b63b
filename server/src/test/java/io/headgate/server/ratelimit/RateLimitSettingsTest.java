package io.headgate.server.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.envoy.ratelimit.HeaderSettings;
import io.headgate.keyed.redis.OutagePolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The variables of envoyproxy/ratelimit, as its users have set them. */
class RateLimitSettingsTest {

  private static RateLimitSettings read(String... pairs) {
    Map<String, String> variables = new HashMap<>(Map.of("RUNTIME_ROOT", "/data"));
    for (int i = 0; i < pairs.length; i += 2) {
      variables.put(pairs[i], pairs[i + 1]);
    }
    return RateLimitSettings.read(variables);
  }

  @Test
  void theOriginalsVariablesAreUnderstood() {
    RateLimitSettings settings =
        read(
            "RUNTIME_SUBDIRECTORY", "ratelimit",
            "REDIS_URL", "redis.example.com:6379",
            "REDIS_AUTH", "p@ss word",
            "REDIS_TLS", "true",
            "CACHE_KEY_PREFIX", "rl:",
            "NEAR_LIMIT_RATIO", "0.5",
            "SHADOW_MODE", "true",
            "QUOTA_MODE", "true",
            "RESPONSE_DYNAMIC_METADATA", "1",
            "LIMIT_RESPONSE_HEADERS_ENABLED", "true",
            "LIMIT_RESET_HEADER", "X-Reset",
            "GRPC_HOST", "::1",
            "GRPC_PORT", "9081",
            "PORT", "9080",
            "GRPC_MAX_CONNECTION_AGE", "2h",
            "LOG_LEVEL", "debug");

    assertThat(settings.rules()).isEqualTo(Path.of("/data/ratelimit/config"));
    assertThat(settings.backend()).isEqualTo(Backend.REDIS);
    assertThat(settings.redis())
        .isEqualTo(
            new RedisSettings(
                java.util.List.of("rediss://p%40ss%20word@redis.example.com:6379"),
                false,
                "rl:",
                1,
                0));
    assertThat(settings.service().nearLimitRatio()).isEqualTo(0.5);
    assertThat(settings.service().shadow()).isTrue();
    assertThat(settings.service().quota()).isTrue();
    assertThat(settings.service().responseMetadata()).isTrue();
    assertThat(settings.service().headers().three())
        .isEqualTo(new HeaderSettings.Names("RateLimit-Limit", "RateLimit-Remaining", "X-Reset"));
    assertThat(settings.grpc()).hasToString("[::1]:9081");
    assertThat(settings.http()).hasToString("127.0.0.1:9080");
    assertThat(settings.maxConnectionAge()).isEqualTo(Duration.ofHours(2));
    assertThat(settings.debug()).isTrue();
    assertThat(settings.unknown()).isEmpty();
  }

  @Test
  void withoutAnyOfThemItCountsHereAndListensToThisMachine() {
    RateLimitSettings settings = read();

    assertThat(settings.backend()).isEqualTo(Backend.LOCAL);
    assertThat(settings.grpc()).hasToString("127.0.0.1:8081");
    assertThat(settings.http()).hasToString("127.0.0.1:8080");
    assertThat(settings.rules()).isEqualTo(Path.of("/data/config"));
    assertThat(settings.service().outagePolicy()).isEqualTo(OutagePolicy.LOCAL);
    assertThat(settings.service().answerWithin()).isEqualTo(Duration.ofMillis(8));
    assertThat(settings.pathKeys()).containsExactlyInAnyOrder("path", ":path");
  }

  @ParameterizedTest
  @CsvSource({
    "SENTINEL, 'main,a:1,b:2',   'redis-sentinel://u:p%3Aq@a:1,b:2#main'",
    "CLUSTER,  'a:1',            redis://u:p%3Aq@a:1",
    "single,   redis://x:1,      redis://x:1",
  })
  void redisIsFoundInEachWay(String type, String url, String uri) {
    RedisSettings redis = read("REDIS_TYPE", type, "REDIS_URL", url, "REDIS_AUTH", "u:p:q").redis();

    assertThat(redis).isNotNull();
    assertThat(redis.uris()).containsExactly(uri);
    assertThat(redis.cluster()).isEqualTo(type.equals("CLUSTER"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CONFIG_TYPE|GRPC_XDS_SOTW|'GRPC_XDS_SOTW' (expected: FILE; there is no xDS of rules)",
        "BACKEND_TYPE|memcache|'memcache' (expected: redis; there is no memcached)",
        "NEAR_LIMIT_RATIO|1.5|'1.5' (expected: a number from 0 to 1)",
        "HEADGATE_RATELIMIT_WHEN_DOWN|shut|'shut' (expected: open, closed or local)",
        "HEADGATE_RATELIMIT_BACKEND|disk|'disk' (expected: local, redis or ring)",
        "HEADGATE_RATELIMIT_ANSWER_WITHIN|1m|'1m' (expected: 1ms to 10s)",
        "GRPC_CLIENT_TLS_SAN|x|'x' (expected: nothing; GRPC_CLIENT_TLS_CACERT says which clients may"
            + " call)",
        "REDIS_URL|/var/run/redis.sock|'/var/run/redis.sock' (expected: host:port,"
            + " redis://host:port, or with REDIS_TYPE=sentinel or cluster names with commas between"
            + " them; there are no Unix sockets)",
      })
  void whatMakesNoSenseIsRefused(String name, String value, String message) {
    assertThatThrownBy(() -> read(name, value)).hasMessage(name + ": " + message);
  }

  @Test
  void whatHasNoEffectAndWhatNobodyKnowsIsTold() {
    RateLimitSettings settings =
        read(
            "REDIS_URL", "x:1",
            "REDIS_POOL_SIZE", "5",
            "REDIS_PIPELINE_WINDOWS", "1ms",
            "STATSD_HOST", "h",
            "REDIS_SERVICE_HOST", "10.0.0.1",
            "REDIS_PORT_6379_TCP", "x",
            "GRPC_SERVER_USE_TSL", "true");

    assertThat(settings.withoutEffect()).containsExactly("REDIS_POOL_SIZE", "STATSD_HOST");
    assertThat(settings.unknown()).containsExactly("GRPC_SERVER_USE_TSL", "REDIS_PIPELINE_WINDOWS");
  }
}
