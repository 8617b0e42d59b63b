package io.headgate.envoy.ratelimit.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which limit a descriptor meets, what is counted together, and under what metrics are. */
class MatchTest {

  private static final RateLimitRules RULES =
      rules(
          """
          domain: shop
          descriptors:
            - key: user
              rate_limit: { unit: second, requests_per_unit: 1 }
            - key: user
              value: ann
              rate_limit: { unit: second, requests_per_unit: 2 }
              descriptors:
                - key: path
                  rate_limit: { unit: second, requests_per_unit: 3 }
            - key: user
              value: test-*
              rate_limit: { unit: second, requests_per_unit: 4 }
            - key: user
              value: test-*-x
              rate_limit: { unit: second, requests_per_unit: 5 }
            - key: file
              value: "*/logs/*"
              share_threshold: true
              rate_limit: { unit: second, requests_per_unit: 6 }
            - key: host
              value_to_metric: true
              descriptors:
                - key: port
                  rate_limit: { unit: second, requests_per_unit: 7 }
            - key: tenant
              detailed_metric: true
              rate_limit: { unit: second, requests_per_unit: 8 }
          """);

  private static RateLimitRules rules(String file) {
    RuleFiles.Loaded loaded =
        new RuleFiles(LimitCheck.NONE, false, Set.of("path"))
            .compile(
                List.of(new RuleFiles.Source("a.yaml", file.getBytes(StandardCharsets.UTF_8))));
    assertThat(loaded.problems()).isEmpty();
    return loaded.rules();
  }

  /** {@code user=ann;path=/} as a descriptor. */
  private static RateLimitDescriptor.Builder descriptor(String text) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    for (String entry : text.split(";", -1)) {
      String[] parts = entry.split("=", 2);
      descriptor.addEntries(
          RateLimitDescriptor.Entry.newBuilder().setKey(parts[0]).setValue(parts[1]));
    }
    return descriptor;
  }

  private static RateLimitRules.@Nullable Match match(String descriptor) {
    return RULES.match("shop", descriptor(descriptor).build());
  }

  @ParameterizedTest
  @CsvSource({
    "user=bob, 1, |user=bob, shop.user",
    "user=, 1, |user=, shop.user",
    "user=ann, 2, |user=ann, shop.user_ann",
    "user=ann;path=/a?b=c, 3, |user=ann|path=/a, shop.user_ann.path",
    "user=test-1, 4, |user=test-1, shop.user_test-*",
    "user=test-1-x, 4, |user=test-1-x, shop.user_test-*",
    "file=a/logs/b, 6, |file=*/logs/*, shop.file_*/logs/*",
    "host=a;port=1, 7, |host=a|port=1, shop.host_a.port",
    "tenant=x, 8, |tenant=x, shop.tenant_x",
  })
  void aDescriptorMeetsTheMostSpecificRule(
      String descriptor, long requests, String key, String metric) {
    RateLimitRules.Match match = match(descriptor);

    assertThat(match).isNotNull();
    assertThat(match.limit().requestsPerUnit()).isEqualTo(requests);
    assertThat(match.key()).isEqualTo("shop" + key);
    assertThat(match.metric()).isEqualTo(metric);
  }

  @ParameterizedTest
  @CsvSource({"user=bob;path=/", "user=ann;path=/;x=y", "nobody=x", "host=a", "file=a"})
  void whatIsNotAtTheEndOfItsWayMeetsNothing(String descriptor) {
    assertThat(match(descriptor)).isNull();
  }

  @Test
  void aDomainWithoutRulesHasNoLimits() {
    assertThat(RULES.match("other", descriptor("user=ann").build())).isNull();
    assertThat(RULES.has("other")).isFalse();
  }

  @Test
  void twoDescriptorsAreNeverCountedAsOne() {
    RateLimitRules rules =
        rules(
            """
            domain: d
            descriptors:
              - key: a
                rate_limit: { unit: second, requests_per_unit: 1 }
                descriptors:
                  - key: b
                    rate_limit: { unit: second, requests_per_unit: 1 }
            """);
    RateLimitRules.Match one = rules.match("d", descriptor("a=x|b=y").build());
    RateLimitRules.Match two = rules.match("d", descriptor("a=x;b=y").build());

    assertThat(one).isNotNull();
    assertThat(two).isNotNull();
    assertThat(one.key()).isEqualTo("d|a=x\\|b\\=y").isNotEqualTo(two.key());
  }

  @Test
  void aLimitThatComesWithTheRequestGoesBeforeTheFiles() {
    RateLimitDescriptor.Builder descriptor = descriptor("user=ann");
    descriptor.getLimitBuilder().setRequestsPerUnit(-1).setUnit(RateLimitUnit.HOUR);
    RateLimitRules.Match match = RULES.match("shop", descriptor.build());

    assertThat(match).isNotNull();
    assertThat(match.limit().requestsPerUnit()).isEqualTo(4_294_967_295L);
    assertThat(match.limit().unit()).isEqualTo(LimitUnit.HOUR);
    assertThat(match.key()).isEqualTo("shop|user=ann|<4294967295");
  }

  @Test
  void aLimitOfNoKnownUnitIsNone() {
    RateLimitDescriptor.Builder descriptor = descriptor("user=ann");
    descriptor.getLimitBuilder().setRequestsPerUnit(1).setUnitValue(8);
    assertThat(RULES.match("shop", descriptor.build())).isNull();
    descriptor.getLimitBuilder().setUnitValue(LimitUnit.WEEK.number());
    assertThat(RULES.match("shop", descriptor.build())).isNotNull();
  }
}
