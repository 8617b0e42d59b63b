package io.headgate.spring;

import io.headgate.core.limit.Inheritance;
import io.headgate.keyed.redis.OutagePolicy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits by key.
 *
 * @param enabled whether requests are limited at all
 * @param maxKeys the most keys that are kept in this process, for each policy
 * @param proxies how many of your own proxies each request comes through, for keys by address
 * @param trustedProxies the addresses of your own proxies in place of their number, as ranges such
 *     as 10.0.0.0/8
 * @param longestWait how long a request waits for a decision at most; then it goes on unlimited
 * @param redis where the counts are, if not in this process
 * @param token how tokens are verified, for keys by claim
 * @param policies which requests are limited, and how
 */
@ConfigurationProperties("headgate.keyed")
public record KeyedProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("1000000") long maxKeys,
    @DefaultValue("0") int proxies,
    @DefaultValue List<String> trustedProxies,
    @DefaultValue("1s") Duration longestWait,
    @Nullable Redis redis,
    @Nullable Token token,
    @DefaultValue List<Policy> policies) {

  /** How a limit counts. */
  public enum Algorithm {
    /** Tokens that come back evenly. */
    TOKEN_BUCKET,
    /** A bucket that leaks evenly. */
    LEAKY_BUCKET,
    /** The generic cell rate algorithm. */
    GCRA,
    /** From one multiple of the window to the next. */
    FIXED_WINDOW,
    /** Exact in any window. */
    SLIDING_LOG,
    /** Two windows, the older one weighted. */
    SLIDING_COUNTER,
    /** Segments of a window, as in .NET. */
    SEGMENTED_WINDOW,
    /** Segments of a window, never more than the limit in any. */
    STRICT_SEGMENTED_WINDOW
  }

  /**
   * Counts in Redis.
   *
   * @param uri redis://host:port, rediss:// with TLS, or redis-sentinel://host:port#master
   * @param cluster nodes of a cluster, in place of the URI
   * @param timeout how long an answer may take
   * @param outagePolicy what answers while Redis does not
   * @param knownReplicas how many processes share the limits, which divide them in an outage
   * @param rememberedKeys how many keys that are over are remembered here, to save calls
   */
  public record Redis(
      @DefaultValue("redis://localhost:6379") String uri,
      @DefaultValue List<String> cluster,
      @DefaultValue("50ms") Duration timeout,
      @DefaultValue("local") OutagePolicy outagePolicy,
      @DefaultValue("1") int knownReplicas,
      @DefaultValue("0") long rememberedKeys) {}

  /**
   * Tokens, of which nothing is believed that is not verified. One of the secret and the keys is
   * needed.
   *
   * @param sharedSecret the secret by which they are signed (HS256), 32 bytes at least
   * @param keys the https: or file: address of the JSON Web Key Set of who issues them
   * @param algorithms with which they may be signed by these keys
   * @param issuer what the claim iss must say; anything if it is left out
   * @param audience of which the claim aud must name one; anything if none is given
   */
  public record Token(
      @Nullable String sharedSecret,
      @Nullable URI keys,
      @DefaultValue({"RS256", "ES256"}) Set<String> algorithms,
      @Nullable String issuer,
      @DefaultValue Set<String> audience) {}

  /**
   * A limit and the requests that meet it.
   *
   * @param name the name of the limit, in answers and metrics
   * @param path /api/transfers, with * for a segment and a last ** for any number of them
   * @param methods HTTP methods; none stands for all
   * @param key everyone, address, header:NAME or claim:NAME
   * @param algorithm how the limit counts
   * @param limit permits a window
   * @param window the window, or the period in which a bucket gets the limit back
   * @param burst the capacity of a bucket; the limit if it is left out
   * @param segments segments of a segmented window
   * @param inheritance what live keys keep when the limit changes
   * @param shadow whether to count only
   */
  public record Policy(
      String name,
      @DefaultValue("/**") String path,
      @DefaultValue Set<String> methods,
      @DefaultValue("everyone") String key,
      @DefaultValue("sliding-log") Algorithm algorithm,
      long limit,
      @DefaultValue("1m") Duration window,
      @Nullable Long burst,
      @DefaultValue("10") int segments,
      @DefaultValue("as-is") Inheritance inheritance,
      @DefaultValue("false") boolean shadow) {}
}
