package io.headgate.envoy.ratelimit.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor of a rule file, with those below it. Not changed any more once its file is read.
 *
 * @see RateLimitRules#match
 */
final class RuleNode {

  /** The descriptors of one key on one level. */
  private static final class Key {
    private final Map<String, RuleNode> byValue = new HashMap<>();
    private final List<RuleNode> wildcards = new ArrayList<>();
    private @Nullable RuleNode any;
  }

  private final Map<String, Key> keys = new HashMap<>();
  private final @Nullable Glob glob;
  private final boolean isAny;
  private final boolean valueToMetric;
  private final boolean sharesThreshold;
  private final boolean metricHasValues;
  private @Nullable RateLimit limit;

  private RuleNode(
      @Nullable Glob glob,
      boolean isAny,
      boolean valueToMetric,
      boolean sharesThreshold,
      boolean metricHasValues) {
    this.glob = glob;
    this.isAny = isAny;
    this.valueToMetric = valueToMetric;
    this.sharesThreshold = sharesThreshold;
    this.metricHasValues = metricHasValues;
  }

  /** A domain, with nothing in it. */
  static RuleNode domain() {
    return new RuleNode(null, true, false, false, false);
  }

  /** The descriptor of a key and a value, or null if there is none yet; an empty value is none. */
  @Nullable RuleNode get(String key, String value) {
    Key found = keys.get(key);
    if (found == null || value.isEmpty()) {
      return found == null ? null : found.any;
    }
    if (!Glob.isGlob(value)) {
      return found.byValue.get(value);
    }
    for (RuleNode node : found.wildcards) {
      if (node.glob != null && node.glob.pattern().equals(value)) {
        return node;
      }
    }
    return null;
  }

  /** Adds a descriptor that is not there yet. */
  RuleNode add(String key, String value, boolean valueToMetric, boolean sharesThreshold) {
    Key at = keys.computeIfAbsent(key, name -> new Key());
    Glob pattern = Glob.isGlob(value) ? new Glob(value) : null;
    boolean shows = valueToMetric && !sharesThreshold && (pattern != null || value.isEmpty());
    RuleNode node =
        new RuleNode(pattern, value.isEmpty(), shows, sharesThreshold, metricHasValues || shows);
    if (pattern != null) {
      at.wildcards.add(node);
    } else if (value.isEmpty()) {
      at.any = node;
    } else {
      at.byValue.put(value, node);
    }
    return node;
  }

  void limit(RateLimit value) {
    limit = value;
  }

  @Nullable RateLimit limit() {
    return limit;
  }

  /**
   * The descriptor that an entry of a request meets: its value before patterns, these before any.
   */
  @Nullable RuleNode next(String key, String value) {
    Key found = keys.get(key);
    if (found == null) {
      return null;
    }
    RuleNode exact = found.byValue.get(value);
    if (exact != null) {
      return exact;
    }
    for (int i = 0; i < found.wildcards.size(); i++) {
      RuleNode node = found.wildcards.get(i);
      if (node.glob != null && node.glob.matches(value)) {
        return node;
      }
    }
    return found.any;
  }

  /** What stands for the value of an entry where requests that met this descriptor are counted. */
  String counted(String value) {
    return sharesThreshold && glob != null ? glob.pattern() : value;
  }

  /** What stands for the value of an entry in metrics; empty for nothing. */
  String shown(String value, RateLimit met) {
    if (met.hasDetailedMetric()) {
      return counted(value);
    }
    if (valueToMetric) {
      return value;
    }
    return glob != null ? glob.pattern() : isAny ? "" : value;
  }

  /** Whether metrics of this descriptor's limit depend on the request. */
  boolean metricHasValues(RateLimit met) {
    return metricHasValues || met.hasDetailedMetric();
  }
}
