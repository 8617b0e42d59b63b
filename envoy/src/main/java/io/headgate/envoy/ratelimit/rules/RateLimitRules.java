package io.headgate.envoy.ratelimit.rules;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of all domains, as they were at one moment. */
public final class RateLimitRules {

  /** No rules. */
  public static final RateLimitRules NONE = new RateLimitRules(Map.of(), Set.of(), 0);

  private final Map<String, RuleNode> domains;
  private final Set<String> pathKeys;
  private final int limits;

  RateLimitRules(Map<String, RuleNode> domains, Set<String> pathKeys, int limits) {
    this.domains = Map.copyOf(domains);
    this.pathKeys = Set.copyOf(pathKeys);
    this.limits = limits;
  }

  /**
   * A limit that a descriptor meets.
   *
   * @param limit the limit
   * @param key what is counted together under it
   * @param metric under what its metrics are
   */
  public record Match(RateLimit limit, String key, String metric) {}

  /** How many domains have rules. */
  public int domains() {
    return domains.size();
  }

  /** How many descriptors have a limit. */
  public int limits() {
    return limits;
  }

  /** Whether a domain has rules. */
  public boolean has(String domain) {
    return domains.containsKey(domain);
  }

  /**
   * The limit that a descriptor meets, which is the one at the end of the way that its entries take
   * through the rules, or the one that it brings with it. There is none if the way ends before, or
   * goes on.
   */
  public @Nullable Match match(String domain, RateLimitDescriptor descriptor) {
    RuleNode node = domains.get(domain);
    if (node == null) {
      return null;
    }
    if (descriptor.hasLimit()) {
      return overridden(domain, descriptor);
    }
    StringBuilder key = new StringBuilder(64);
    append(domain, key);
    int entries = descriptor.getEntriesCount();
    for (int i = 0; i < entries; i++) {
      Entry entry = descriptor.getEntries(i);
      String value = value(entry);
      node = node.next(entry.getKey(), value);
      if (node == null) {
        return null;
      }
      append(entry.getKey(), node.counted(value), key);
    }
    RateLimit limit = node.limit();
    if (limit == null || entries == 0) {
      return null;
    }
    String metric = node.metricHasValues(limit) ? metric(domain, descriptor, limit) : limit.path();
    return new Match(limit, key.toString(), metric);
  }

  /** A second way through the rules, which only metrics with values of the request are worth. */
  private String metric(String domain, RateLimitDescriptor descriptor, RateLimit limit) {
    StringBuilder metric = new StringBuilder(domain);
    RuleNode node = domains.get(domain);
    for (Entry entry : descriptor.getEntriesList()) {
      String value = value(entry);
      node = node == null ? null : node.next(entry.getKey(), value);
      String shown = node == null ? "" : node.shown(value, limit);
      metric.append('.').append(entry.getKey());
      if (!shown.isEmpty()) {
        metric.append('_').append(shown);
      }
    }
    return metric.toString();
  }

  private @Nullable Match overridden(String domain, RateLimitDescriptor descriptor) {
    LimitUnit unit = LimitUnit.ofNumber(descriptor.getLimit().getUnitValue());
    if (unit == null) {
      return null;
    }
    StringBuilder key = new StringBuilder(64);
    StringBuilder metric = new StringBuilder(domain);
    append(domain, key);
    for (Entry entry : descriptor.getEntriesList()) {
      append(entry.getKey(), value(entry), key);
      metric.append('.').append(entry.getKey());
      if (!entry.getValue().isEmpty()) {
        metric.append('_').append(value(entry));
      }
    }
    long requests = Integer.toUnsignedLong(descriptor.getLimit().getRequestsPerUnit());
    // Two limits that take turns on one key would each be a change of the other.
    key.append("|<").append(requests);
    return new Match(
        RateLimit.override(metric.toString(), requests, unit), key.toString(), metric.toString());
  }

  /** Envoy sends paths with their query, by which anybody could have a count of its own. */
  private String value(Entry entry) {
    String value = entry.getValue();
    if (value.isEmpty() || value.charAt(0) != '/' || !pathKeys.contains(entry.getKey())) {
      return value;
    }
    int query = value.indexOf('?');
    return query < 0 ? value : value.substring(0, query);
  }

  private static void append(String key, String value, StringBuilder to) {
    to.append('|');
    append(key, to);
    to.append('=');
    append(value, to);
  }

  /** What parts the parts of a key is escaped in them, so that no two descriptors are one key. */
  private static void append(String part, StringBuilder to) {
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c == '|' || c == '=' || c == '\\' || c == '<') {
        to.append('\\');
      }
      to.append(c);
    }
  }
}
