package io.headgate.envoy.ratelimit.rules;

import com.google.protobuf.Struct;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.headgate.keyed.NamedLimit;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a descriptor may do: the {@code rate_limit} of a rule file with what else is said beside it,
 * or one that came with a request.
 */
public final class RateLimit {

  /** What one can do without end is left with. */
  public static final int UNLIMITED_REMAINING = -1; // 2^32 - 1, unsigned

  private final String path;
  private final String name;
  private final Set<String> replaces;
  private final long requestsPerUnit;
  private final @Nullable LimitUnit unit;
  private final @Nullable NamedLimit counted;
  private final @Nullable NamedLimit countedInShadow;
  private final Flags flags;
  private final @Nullable Struct metadata;
  private final RateLimitResponse.@Nullable RateLimit message;

  /**
   * What is on or off about a limit.
   *
   * @param shadow counted and never enforced
   * @param quota over only when all of a request's limits that are quotas are
   * @param detailedMetric metrics have the values of the request
   */
  record Flags(boolean shadow, boolean quota, boolean detailedMetric) {
    static final Flags NONE = new Flags(false, false, false);
  }

  private RateLimit(
      String path,
      String name,
      Set<String> replaces,
      long requestsPerUnit,
      @Nullable LimitUnit unit,
      @Nullable NamedLimit counted,
      Flags flags,
      @Nullable Struct metadata) {
    this.path = path;
    this.name = name;
    this.replaces = Set.copyOf(replaces);
    this.requestsPerUnit = requestsPerUnit;
    this.unit = unit;
    this.counted = counted;
    countedInShadow = counted == null ? null : counted.inShadow();
    this.flags = flags;
    this.metadata = metadata;
    message = unit == null ? null : message(name, requestsPerUnit, unit);
  }

  static RateLimit unlimited(
      String path, String name, Set<String> replaces, Flags flags, @Nullable Struct metadata) {
    return new RateLimit(path, name, replaces, 0, null, null, flags, metadata);
  }

  static RateLimit of(
      String path,
      String name,
      Set<String> replaces,
      long requestsPerUnit,
      LimitUnit unit,
      Algorithm algorithm,
      Flags flags,
      @Nullable Struct metadata) {
    NamedLimit counted = requestsPerUnit == 0 ? null : counted(requestsPerUnit, unit, algorithm);
    return new RateLimit(path, name, replaces, requestsPerUnit, unit, counted, flags, metadata);
  }

  /** A limit that came with a request; always a fixed window. */
  static RateLimit override(String path, long requestsPerUnit, LimitUnit unit) {
    return of(path, "", Set.of(), requestsPerUnit, unit, Algorithm.FIXED_WINDOW, Flags.NONE, null);
  }

  /**
   * Keys are counted under the unit and the algorithm, so that a change of the number of requests
   * acts on live keys, and one of the window begins anew.
   */
  private static NamedLimit counted(long requests, LimitUnit unit, Algorithm algorithm) {
    String name = "envoy." + unit.word() + "." + algorithm.word();
    return NamedLimit.of(name, algorithm.limit(requests, unit));
  }

  private static RateLimitResponse.RateLimit message(String name, long requests, LimitUnit unit) {
    return RateLimitResponse.RateLimit.newBuilder()
        .setName(name)
        .setRequestsPerUnit((int) requests)
        .setUnitValue(unit.number())
        .build();
  }

  /** Where it stands: the domain and the keys, and the values where the file has them. */
  public String path() {
    return path;
  }

  /** The name that its author gave it; empty without one. */
  public String name() {
    return name;
  }

  /** The names of the limits that do not hold for a request that meets this one. */
  public Set<String> replaces() {
    return replaces;
  }

  /** Whether nothing is counted and everything may pass. */
  public boolean isUnlimited() {
    return unit == null;
  }

  /** Whether nothing may pass: a limit of no requests. */
  public boolean isBan() {
    return unit != null && counted == null;
  }

  /** From 0 to 2<sup>32</sup> - 1. */
  public long requestsPerUnit() {
    return requestsPerUnit;
  }

  /** The length of its windows; null if it is unlimited. */
  public @Nullable LimitUnit unit() {
    return unit;
  }

  /** What counts it; null if it is unlimited or lets nothing pass. */
  public @Nullable NamedLimit counted() {
    return counted;
  }

  /** The same, counted but not enforced. */
  public @Nullable NamedLimit countedInShadow() {
    return countedInShadow;
  }

  /** Whether it is counted and never enforced. */
  public boolean isShadow() {
    return flags.shadow;
  }

  /** Whether a request is over it only if it is over all quotas that it meets. */
  public boolean isQuota() {
    return flags.quota;
  }

  /** Whether its metrics have the values of the request. */
  boolean hasDetailedMetric() {
    return flags.detailedMetric;
  }

  /** What its author wants told to Envoy with every answer; null if nothing. */
  public @Nullable Struct metadata() {
    return metadata;
  }

  /** The limit as an answer has it; null if it is unlimited. */
  public RateLimitResponse.@Nullable RateLimit message() {
    return message;
  }
}
