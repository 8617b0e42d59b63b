package io.headgate.server.ratelimit;

import io.headgate.keyed.redis.OutagePolicy;
import io.headgate.keyed.redis.RedisKeyedLimiter;
import io.headgate.keyed.redis.RedisKeyedLimiterBuilder;
import io.headgate.server.keyed.Variables;
import io.headgate.server.terminal.UserError;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Where Redis is, by the variables of envoyproxy/ratelimit.
 *
 * @param uris one, or the nodes by which a cluster is found
 * @param cluster whether it is a Redis Cluster
 * @param prefix what keys begin with
 * @param replicas how many processes share the limits when Redis is gone
 * @param rememberedKeys how many keys that are over their limit are remembered here
 */
public record RedisSettings(
    List<String> uris, boolean cluster, String prefix, int replicas, int rememberedKeys) {

  private static final String EXPECTED_URL =
      "host:port, redis://host:port, or with REDIS_TYPE=sentinel or cluster names with commas"
          + " between them";

  /**
   * Roughly what a remembered key takes, to turn the size of the original's cache into a number.
   */
  private static final int BYTES_A_KEY = 100;

  /** What cannot be said of a connection here. */
  private static final List<String> REFUSED =
      List.of("REDIS_TLS_CLIENT_CERT", "REDIS_TLS_CLIENT_KEY", "REDIS_TLS_CACERT");

  /** Pools, pipelines and a second server are for what one shared connection does not need. */
  static final List<String> WITHOUT_EFFECT =
      List.of(
          "REDIS_SOCKET_TYPE",
          "REDIS_POOL_SIZE",
          "REDIS_POOL_ON_EMPTY_BEHAVIOR",
          "REDIS_POOL_ON_EMPTY_WAIT_DURATION",
          "REDIS_PIPELINE_WINDOW",
          "REDIS_PIPELINE_LIMIT",
          "REDIS_PERSECOND",
          "REDIS_PERSECOND_SOCKET_TYPE",
          "REDIS_PERSECOND_TYPE",
          "REDIS_PERSECOND_URL",
          "REDIS_PERSECOND_POOL_SIZE",
          "REDIS_PERSECOND_AUTH",
          "REDIS_PERSECOND_TLS",
          "REDIS_PERSECOND_PIPELINE_WINDOW",
          "REDIS_PERSECOND_PIPELINE_LIMIT",
          "REDIS_TIMEOUT",
          "EXPIRATION_JITTER_MAX_SECONDS",
          "STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT");

  static RedisSettings read(Variables variables) {
    for (String name : REFUSED) {
      if (variables.has(name)) {
        throw variables.invalid(name, "nothing; Java's own trust store says whom to trust");
      }
    }
    String type = variables.text("REDIS_TYPE", "SINGLE").toUpperCase(java.util.Locale.ROOT);
    String url = variables.text("REDIS_URL", "localhost:6379");
    if (url.startsWith("/")) {
      throw variables.invalid("REDIS_URL", EXPECTED_URL + "; there are no Unix sockets");
    }
    List<String> uris =
        switch (type) {
          case "SINGLE" -> List.of(uri(variables, url));
          case "SENTINEL" -> List.of(sentinels(variables));
          case "CLUSTER" ->
              variables.list("REDIS_URL").stream().map(node -> uri(variables, node)).toList();
          default -> throw variables.invalid("REDIS_TYPE", "single, sentinel or cluster");
        };
    return new RedisSettings(
        uris,
        type.equals("CLUSTER"),
        variables.text("CACHE_KEY_PREFIX", "headgate:"),
        variables.integer("HEADGATE_RATELIMIT_REPLICAS", 1, 1, 100_000),
        variables.integer("LOCAL_CACHE_SIZE_IN_BYTES", 0, 0, Integer.MAX_VALUE) / BYTES_A_KEY);
  }

  private static String uri(Variables variables, String node) {
    if (node.contains("://")) {
      return node;
    }
    return scheme(variables, "redis", "rediss") + login(variables) + node + verify(variables);
  }

  /** {@code name,host:port,...} as the original has it. */
  private static String sentinels(Variables variables) {
    List<String> parts = variables.list("REDIS_URL");
    if (parts.size() < 2) {
      throw variables.invalid("REDIS_URL", "the master's name and sentinels: name,host:port,...");
    }
    return scheme(variables, "redis-sentinel", "rediss-sentinel")
        + login(variables)
        + String.join(",", parts.subList(1, parts.size()))
        + verify(variables)
        + "#"
        + parts.get(0);
  }

  private static String scheme(Variables variables, String plain, String tls) {
    return (variables.flag("REDIS_TLS", false) ? tls : plain) + "://";
  }

  private static String verify(Variables variables) {
    return variables.flag("REDIS_TLS_SKIP_HOSTNAME_VERIFICATION", false) ? "?verifyPeer=CA" : "";
  }

  /** A password, or a user and a password. */
  private static String login(Variables variables) {
    String auth = variables.text("REDIS_AUTH");
    if (auth.isEmpty()) {
      return "";
    }
    int colon = auth.indexOf(':');
    return colon < 0
        ? encoded(auth) + "@"
        : encoded(auth.substring(0, colon)) + ":" + encoded(auth.substring(colon + 1)) + "@";
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  RedisKeyedLimiter open(OutagePolicy policy, Duration timeout) {
    try {
      RedisKeyedLimiterBuilder builder =
          RedisKeyedLimiter.builder()
              .prefix(prefix)
              .outagePolicy(policy)
              .knownReplicas(replicas)
              .rememberedKeys(rememberedKeys)
              .timeout(timeout);
      return (cluster ? builder.cluster(uris) : builder.redis(uris.get(0))).build();
    } catch (IllegalArgumentException e) {
      throw UserError.usage("REDIS_URL: " + e.getMessage() + " (expected: " + EXPECTED_URL + ")");
    }
  }
}
