package io.headgate.keyed.redis;

import io.headgate.keyed.KeyedListener;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/** Settings of a {@link RedisKeyedLimiter}. */
public final class RedisKeyedLimiterBuilder {

  String prefix = "headgate:";
  OutagePolicy policy = OutagePolicy.LOCAL;
  int replicas = 1;
  LongSupplier nanoClock = System::nanoTime;
  KeyedListener listener = KeyedListener.NONE;
  Duration pause = Duration.ofMillis(100);
  int failuresToOpen = 3;
  long maxLocalKeys = 100_000;
  long rememberedKeys;

  private Duration timeout = Duration.ofMillis(50);
  private List<RedisURI> uris = List.of(RedisURI.create("redis://localhost:6379"));
  private boolean cluster;
  private Scripts scripts = Scripts.withClock(Script.serverClock());

  RedisKeyedLimiterBuilder() {}

  /**
   * Where Redis is: {@code redis://host:port}, {@code rediss://} with TLS, or {@code
   * redis-sentinel://host:port,host:port#master}; {@code redis://localhost:6379} by default.
   *
   * @throws IllegalArgumentException if it is no such URI
   */
  public RedisKeyedLimiterBuilder redis(String uri) {
    uris = List.of(RedisURI.create(uri));
    cluster = false;
    return this;
  }

  /** Nodes of a Redis Cluster, by which the others are found. */
  public RedisKeyedLimiterBuilder cluster(List<String> nodes) {
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("cluster: no nodes (expected: one at least)");
    }
    uris = nodes.stream().map(RedisURI::create).toList();
    cluster = true;
    return this;
  }

  /** What the keys in Redis begin with; {@code headgate:} by default. It must have no braces. */
  public RedisKeyedLimiterBuilder prefix(String value) {
    if (value.indexOf('{') >= 0 || value.indexOf('}') >= 0) {
      throw new IllegalArgumentException("prefix: '" + value + "' (expected: no braces)");
    }
    prefix = value;
    return this;
  }

  /** What answers while Redis does not; {@link OutagePolicy#LOCAL} by default. */
  public RedisKeyedLimiterBuilder outagePolicy(OutagePolicy value) {
    policy = value;
    return this;
  }

  /** How many processes share the limits, which divide them in an outage; 1 by default. */
  public RedisKeyedLimiterBuilder knownReplicas(int value) {
    replicas = (int) atLeast("knownReplicas", value, 1);
    return this;
  }

  /** How long an answer may take, and up to a quarter more; 50 ms by default. */
  public RedisKeyedLimiterBuilder timeout(Duration value) {
    timeout = atLeastAMillisecond("timeout", value);
    return this;
  }

  /** After how many failures in a row Redis is taken as gone; 3 by default. */
  public RedisKeyedLimiterBuilder failuresToOpen(int value) {
    failuresToOpen = (int) atLeast("failuresToOpen", value, 1);
    return this;
  }

  /** How often a Redis that is gone is tried; 100 ms by default. */
  public RedisKeyedLimiterBuilder pause(Duration value) {
    pause = atLeastAMillisecond("pause", value);
    return this;
  }

  /** The most keys that are counted here in an outage, for each limit; 100,000 by default. */
  public RedisKeyedLimiterBuilder maxLocalKeys(long value) {
    maxLocalKeys = atLeast("maxLocalKeys", value, 1);
    return this;
  }

  /**
   * How many keys that are over their limit are remembered here, so that asking for them again
   * costs no call; 0, none, by default. Permits that another process gives back are then seen late.
   */
  public RedisKeyedLimiterBuilder rememberedKeys(long value) {
    rememberedKeys = atLeast("rememberedKeys", value, 0);
    return this;
  }

  /** Who hears of each decision, mostly on the thread that reads from Redis; nobody by default. */
  public RedisKeyedLimiterBuilder listener(KeyedListener value) {
    listener = value;
    return this;
  }

  /** The clock of this process, for what is counted here; {@link System#nanoTime} by default. */
  public RedisKeyedLimiterBuilder nanoClock(LongSupplier value) {
    nanoClock = value;
    return this;
  }

  /** For tests: another function {@code clock} in Lua. */
  RedisKeyedLimiterBuilder luaClock(String clock) {
    scripts = Scripts.withClock(clock);
    return this;
  }

  /** A limiter with these settings. It begins to connect and does not wait for it. */
  public RedisKeyedLimiter build() {
    Store store =
        cluster ? LettuceStore.cluster(uris, timeout) : LettuceStore.of(uris.get(0), timeout);
    return new RedisKeyedLimiter(this, store, scripts);
  }

  private static long atLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          name + ": " + value + " (expected: " + least + " or more)");
    }
    return value;
  }

  private static Duration atLeastAMillisecond(String name, Duration value) {
    if (value.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: 1 ms or more)");
    }
    return value;
  }
}
