package io.headgate.server.ratelimit;

import io.headgate.envoy.ratelimit.HeaderSettings;
import io.headgate.envoy.ratelimit.ServiceSettings;
import io.headgate.keyed.redis.OutagePolicy;
import io.headgate.server.keyed.KeyedSettings;
import io.headgate.server.keyed.Variables;
import io.headgate.server.run.HostPort;
import io.headgate.server.terminal.UserError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the rate limit service: the variables of envoyproxy/ratelimit, and some of our
 * own. See {@code docs/ratelimit-service.md}.
 *
 * @param grpc where Envoy connects to
 * @param http where JSON and the pages are
 * @param tls TLS of the gRPC port
 * @param insecure whether ports that other machines can reach may be without mutual TLS
 * @param rules the directory of rule files
 * @param mergesDomains whether several files may have one domain
 * @param pathKeys the keys of descriptors whose values are cut at their query
 * @param service how the service behaves
 * @param backend where requests are counted
 * @param maxKeys how many keys are kept in this process for each unit and algorithm
 * @param redis where Redis is; null if nothing is counted there
 * @param ring the node of a cluster; null if nothing is counted there
 * @param maxConnectionAge how long a connection lasts
 * @param maxConnectionAgeGrace how long it lasts on for calls that are under way
 * @param healthNeedsRedis whether the service is unhealthy while Redis is gone
 * @param originalMetrics whether metrics come under the names of envoyproxy/ratelimit too
 * @param debug whether to log more
 * @param withoutEffect variables that are set and have no effect
 * @param unknown variables that nobody knows
 */
public record RateLimitSettings(
    HostPort grpc,
    HostPort http,
    ServerTls tls,
    boolean insecure,
    Path rules,
    boolean mergesDomains,
    Set<String> pathKeys,
    ServiceSettings service,
    Backend backend,
    int maxKeys,
    @Nullable RedisSettings redis,
    @Nullable KeyedSettings ring,
    Duration maxConnectionAge,
    Duration maxConnectionAgeGrace,
    boolean healthNeedsRedis,
    boolean originalMetrics,
    boolean debug,
    Set<String> withoutEffect,
    Set<String> unknown) {

  private static final int MAX_PORT = 65_535;
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(10);

  /** Variables of the original for what this program does in another way, or not at all. */
  private static final List<String> WITHOUT_EFFECT =
      List.of(
          "GRPC_UDS",
          "DEBUG_HOST",
          "DEBUG_PORT",
          "RUNTIME_IGNOREDOTFILES",
          "RUNTIME_WATCH_ROOT",
          "FORCE_START_WITHOUT_INITIAL_CONFIG",
          "HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED",
          "USE_STATSD",
          "STATSD_HOST",
          "STATSD_PORT",
          "STATS_FLUSH_INTERVAL",
          "DISABLE_STATS",
          "EXTRA_TAGS",
          "USE_DOG_STATSD",
          "USE_DOG_STATSD_MOGRIFIERS",
          "PROMETHEUS_ADDR",
          "PROMETHEUS_PATH",
          "PROMETHEUS_MAPPER_YAML",
          "TRACING_ENABLED");

  /** Which names this program could have been meant by. */
  private static final Pattern FAMILY =
      Pattern.compile(
          "(REDIS|RUNTIME|GRPC_(SERVER|CLIENT|MAX)|CONFIG_GRPC_XDS|LIMIT|MEMCACHE|HEADGATE_RATELIMIT)_.+");

  /** What Kubernetes sets for a service that is called redis. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(".+_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\\d+_.+)?)");

  /**
   * Reads them.
   *
   * @throws UserError if a variable makes no sense; the message names it, what was found and what
   *     was expected
   */
  public static RateLimitSettings read(Map<String, String> environment) {
    Variables variables = new Variables(environment);
    refuseWhatCannotBe(variables);
    Backend backend = backend(variables);
    ServiceSettings service = service(variables);
    HostPort grpc = address(variables, "HEADGATE_RATELIMIT_GRPC", "GRPC_HOST", "GRPC_PORT", 8081);
    HostPort http = address(variables, "HEADGATE_RATELIMIT_HTTP", "HOST", "PORT", 8080);
    RedisSettings redis = backend == Backend.REDIS ? RedisSettings.read(variables) : null;
    KeyedSettings ring = backend == Backend.RING ? ring(environment, service) : null;
    Path rules = rules(variables);
    ServerTls tls = ServerTls.read(variables);
    return new RateLimitSettings(
        grpc,
        http,
        tls,
        variables.flag("HEADGATE_INSECURE", false),
        rules,
        variables.flag("MERGE_DOMAIN_CONFIG", false),
        pathKeys(variables),
        service,
        backend,
        variables.integer("HEADGATE_RATELIMIT_MAX_KEYS", 1_000_000, 1, Integer.MAX_VALUE),
        redis,
        ring,
        variables.duration("GRPC_MAX_CONNECTION_AGE", Duration.ofHours(24)),
        variables.duration("GRPC_MAX_CONNECTION_AGE_GRACE", Duration.ofHours(1)),
        variables.flag("REDIS_HEALTH_CHECK_ACTIVE_CONNECTION", false),
        variables.flag(
            "HEADGATE_RATELIMIT_ORIGINAL_METRICS", variables.flag("USE_PROMETHEUS", false)),
        isDebug(variables),
        withoutEffect(variables, backend),
        unknown(variables));
  }

  /** What somebody relies on must not be left out in silence. */
  private static void refuseWhatCannotBe(Variables variables) {
    if (!variables.text("CONFIG_TYPE", "FILE").equals("FILE")) {
      throw variables.invalid("CONFIG_TYPE", "FILE; there is no xDS of rules");
    }
    if (!variables.text("BACKEND_TYPE", "redis").equals("redis")) {
      throw variables.invalid("BACKEND_TYPE", "redis; there is no memcached");
    }
  }

  private static Backend backend(Variables variables) {
    String word =
        variables.text(
            "HEADGATE_RATELIMIT_BACKEND", variables.has("REDIS_URL") ? "redis" : "local");
    try {
      return Backend.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw variables.invalid("HEADGATE_RATELIMIT_BACKEND", "local, redis or ring");
    }
  }

  private static Set<String> pathKeys(Variables variables) {
    List<String> keys = variables.list("HEADGATE_RATELIMIT_PATH_KEYS");
    if (keys.isEmpty()) {
      return Set.of("path", ":path");
    }
    return keys.equals(List.of("none")) ? Set.of() : Set.copyOf(keys);
  }

  private static ServiceSettings service(Variables variables) {
    Duration within =
        variables.duration(
            "HEADGATE_RATELIMIT_ANSWER_WITHIN", ServiceSettings.DEFAULT.answerWithin());
    if (within.toMillis() < 1 || within.compareTo(LONGEST_ANSWER) > 0) {
      throw variables.invalid("HEADGATE_RATELIMIT_ANSWER_WITHIN", "1ms to 10s");
    }
    return new ServiceSettings(
        variables.flag("SHADOW_MODE", false),
        variables.flag("QUOTA_MODE", false),
        ratio(variables),
        headers(variables),
        variables.flag("RESPONSE_DYNAMIC_METADATA", false),
        policy(variables),
        within);
  }

  private static OutagePolicy policy(Variables variables) {
    String word = variables.text("HEADGATE_RATELIMIT_WHEN_DOWN", "local");
    try {
      return OutagePolicy.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw variables.invalid("HEADGATE_RATELIMIT_WHEN_DOWN", "open, closed or local");
    }
  }

  private static double ratio(Variables variables) {
    try {
      double ratio = Double.parseDouble(variables.text("NEAR_LIMIT_RATIO", "0.8"));
      if (ratio >= 0 && ratio <= 1) {
        return ratio;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw variables.invalid("NEAR_LIMIT_RATIO", "a number from 0 to 1");
  }

  private static HeaderSettings headers(Variables variables) {
    HeaderSettings.Names names =
        new HeaderSettings.Names(
            variables.text("LIMIT_LIMIT_HEADER", "RateLimit-Limit"),
            variables.text("LIMIT_REMAINING_HEADER", "RateLimit-Remaining"),
            variables.text("LIMIT_RESET_HEADER", "RateLimit-Reset"));
    return new HeaderSettings(
        variables.flag("HEADGATE_RATELIMIT_RETRY_AFTER", true),
        variables.flag("HEADGATE_RATELIMIT_DRAFT_HEADERS", false),
        variables.flag("LIMIT_RESPONSE_HEADERS_ENABLED", false) ? names : null);
  }

  /** A node has as long to answer as anything else that counts. */
  private static KeyedSettings ring(Map<String, String> environment, ServiceSettings service) {
    Map<String, String> withTimeout = new HashMap<>(environment);
    withTimeout.putIfAbsent("GUBER_BATCH_TIMEOUT", service.answerWithin().toMillis() + "ms");
    return KeyedSettings.read(new Variables(withTimeout));
  }

  private static HostPort address(
      Variables variables, String own, String hostName, String portName, int defaultPort) {
    String host = variables.text(hostName, "127.0.0.1");
    int port = variables.integer(portName, defaultPort, 0, MAX_PORT);
    if (!variables.has(own)) {
      return new HostPort(host, port);
    }
    try {
      return HostPort.parse(variables.text(own));
    } catch (IllegalArgumentException e) {
      throw variables.invalid(own, "host:port");
    }
  }

  /** {@code ROOT/SUBDIRECTORY/APPDIRECTORY}, as the original puts it together. */
  private static Path rules(Variables variables) {
    String root = variables.text("RUNTIME_ROOT");
    String subdirectory = variables.text("RUNTIME_SUBDIRECTORY");
    String app = variables.text("RUNTIME_APPDIRECTORY", "config");
    if (variables.has("HEADGATE_RATELIMIT_RULES")) {
      return Path.of(variables.text("HEADGATE_RATELIMIT_RULES"));
    }
    if (root.isEmpty()) {
      throw UserError.usage(
          "--rules: missing (expected: the directory of rule files, or RUNTIME_ROOT)");
    }
    return Path.of(root, subdirectory, app);
  }

  private static boolean isDebug(Variables variables) {
    String level = variables.text("LOG_LEVEL", "info").toLowerCase(Locale.ROOT);
    return level.equals("debug") || level.equals("trace");
  }

  private static Set<String> withoutEffect(Variables variables, Backend backend) {
    Set<String> set = new TreeSet<>(variables.set());
    Set<String> without = new TreeSet<>(WITHOUT_EFFECT);
    without.addAll(RedisSettings.WITHOUT_EFFECT);
    if (backend != Backend.REDIS) {
      set.stream().filter(name -> name.startsWith("REDIS_")).forEach(without::add);
      without.removeIf(name -> SERVICE_LINK.matcher(name).matches());
      without.removeAll(variables.read());
    }
    set.retainAll(without);
    return set;
  }

  private static Set<String> unknown(Variables variables) {
    Set<String> unknown = new TreeSet<>(variables.set());
    unknown.removeIf(
        name -> !FAMILY.matcher(name).matches() || SERVICE_LINK.matcher(name).matches());
    unknown.removeAll(variables.read());
    WITHOUT_EFFECT.forEach(unknown::remove);
    RedisSettings.WITHOUT_EFFECT.forEach(unknown::remove);
    if (!variables.read().contains("REDIS_TYPE")) {
      unknown.removeIf(name -> name.startsWith("REDIS_")); // told to have no effect
    }
    return unknown;
  }
}
