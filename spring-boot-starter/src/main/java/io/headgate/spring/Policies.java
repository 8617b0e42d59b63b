package io.headgate.spring;

import io.headgate.core.limit.FixedWindow;
import io.headgate.core.limit.Gcra;
import io.headgate.core.limit.LeakyBucket;
import io.headgate.core.limit.Limit;
import io.headgate.core.limit.SegmentedWindow;
import io.headgate.core.limit.SlidingCounter;
import io.headgate.core.limit.SlidingLog;
import io.headgate.core.limit.TokenBucket;
import io.headgate.keyed.NamedLimit;
import io.headgate.keyed.servlet.ClientAddress;
import io.headgate.keyed.servlet.KeySource;
import io.headgate.keyed.servlet.RequestPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Policies as the configuration says them. */
final class Policies {

  private static final String PREFIX = "headgate.keyed.policies";
  private static final String HEADER = "header:";
  private static final String CLAIM = "claim:";

  private final KeyedProperties properties;
  private final KeySource address;
  private @Nullable Tokens tokens;

  private Policies(KeyedProperties properties) {
    this.properties = properties;
    if (properties.proxies() != 0 && !properties.trustedProxies().isEmpty()) {
      throw new IllegalArgumentException(
          "headgate.keyed: both proxies and trusted-proxies (expected: one of them)");
    }
    address =
        KeySource.address(
            properties.trustedProxies().isEmpty()
                ? ClientAddress.behind(properties.proxies())
                : ClientAddress.behind(properties.trustedProxies()));
  }

  /**
   * @throws IllegalArgumentException if one is wrong; the message names the property
   */
  static List<RequestPolicy> of(KeyedProperties properties) {
    Policies policies = new Policies(properties);
    return properties.policies().stream().map(policies::policy).toList();
  }

  private RequestPolicy policy(KeyedProperties.Policy policy) {
    try {
      NamedLimit limit =
          new NamedLimit(policy.name(), limit(policy), policy.inheritance(), policy.shadow());
      return RequestPolicy.of(limit, policy.methods(), policy.path(), key(policy.key()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(PREFIX + " (" + policy.name() + "): " + e.getMessage(), e);
    }
  }

  private static Limit limit(KeyedProperties.Policy policy) {
    long limit = policy.limit();
    long burst = policy.burst() == null ? limit : policy.burst();
    return switch (policy.algorithm()) {
      case TOKEN_BUCKET -> TokenBucket.of(burst, limit, policy.window());
      case LEAKY_BUCKET -> new LeakyBucket(burst, limit, policy.window());
      case GCRA -> new Gcra(limit, policy.window(), burst - 1);
      case FIXED_WINDOW -> new FixedWindow(limit, policy.window());
      case SLIDING_LOG -> new SlidingLog(limit, policy.window());
      case SLIDING_COUNTER -> new SlidingCounter(limit, policy.window());
      case SEGMENTED_WINDOW -> SegmentedWindow.of(limit, policy.window(), policy.segments());
      case STRICT_SEGMENTED_WINDOW ->
          SegmentedWindow.strict(limit, policy.window(), policy.segments());
    };
  }

  private KeySource key(String key) {
    if (key.equals("everyone")) {
      return KeySource.everyone();
    } else if (key.equals("address")) {
      return address;
    } else if (key.startsWith(HEADER)) {
      return KeySource.header(key.substring(HEADER.length()));
    } else if (key.startsWith(CLAIM)) {
      KeyedProperties.Token token = properties.token();
      if (token == null) {
        throw new IllegalArgumentException(
            "key: " + key + " (expected: headgate.keyed.token says how tokens are verified)");
      }
      if (tokens == null) {
        tokens = new Tokens(token);
      }
      return tokens.claim(key.substring(CLAIM.length()));
    }
    throw new IllegalArgumentException(
        "key: " + key + " (expected: everyone, address, header:NAME or claim:NAME)");
  }
}
