package io.headgate.server.ratelimit;

import io.headgate.envoy.ratelimit.stats.DescriptorStats;
import io.headgate.envoy.ratelimit.stats.RateLimitStats;
import java.util.Collection;
import java.util.function.ToLongFunction;

/**
 * The counts of each limit as text for Prometheus: there are as many as limits were met, which come
 * and go with the rules, so they are written when somebody asks.
 */
final class DescriptorMetrics {

  private static final String ORIGINAL = "ratelimit_service_rate_limit_";

  private final StringBuilder text = new StringBuilder();
  private final Collection<DescriptorStats> descriptors;

  private DescriptorMetrics(Collection<DescriptorStats> descriptors) {
    this.descriptors = descriptors;
  }

  /**
   * Writes them.
   *
   * @param original whether also under the names that envoyproxy/ratelimit gives them
   */
  static String of(RateLimitStats stats, boolean original) {
    DescriptorMetrics metrics = new DescriptorMetrics(stats.descriptors());
    metrics.own();
    if (original) {
      metrics.original();
    }
    return metrics.text.toString();
  }

  private void own() {
    String hits = "headgate_ratelimit_hits_total";
    help(hits, "Hits that met a limit, by what became of them");
    own(hits, ",outcome=\"within\"", DescriptorStats::within);
    own(hits, ",outcome=\"over\"", DescriptorStats::over);
    own(hits, ",outcome=\"shadow\"", DescriptorStats::shadow);
    String near = "headgate_ratelimit_near_limit_hits_total";
    help(near, "Hits within a limit of which most was used");
    own(near, "", DescriptorStats::near);
  }

  private void help(String name, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    type(name);
  }

  private void type(String name) {
    text.append("# TYPE ").append(name).append(" counter\n");
  }

  private void own(String name, String labels, ToLongFunction<DescriptorStats> value) {
    for (DescriptorStats each : descriptors) {
      text.append(name).append("{descriptor=\"");
      escaped(each.path());
      text.append('"').append(labels).append("} ").append(value.applyAsLong(each)).append('\n');
    }
  }

  private void original() {
    original("total_hits", DescriptorStats::total);
    original("within_limit", DescriptorStats::within);
    original("near_limit", DescriptorStats::near);
    original("over_limit", DescriptorStats::over);
    original("shadow_mode", DescriptorStats::shadow);
  }

  /** The path in its parts: the domain, and a key with its value for each level below. */
  private void original(String name, ToLongFunction<DescriptorStats> value) {
    type(ORIGINAL + name);
    for (DescriptorStats each : descriptors) {
      String[] parts = each.path().split("\\.", -1);
      text.append(ORIGINAL).append(name).append("{domain=\"");
      escaped(parts[0]);
      for (int i = 1; i < parts.length; i++) {
        text.append("\",key").append(i).append("=\"");
        escaped(parts[i]);
      }
      text.append("\"} ").append(value.applyAsLong(each)).append('\n');
    }
  }

  private void escaped(String label) {
    for (int i = 0; i < label.length(); i++) {
      char c = label.charAt(i);
      switch (c) {
        case '\\', '"' -> text.append('\\').append(c);
        case '\n' -> text.append("\\n");
        default -> text.append(c);
      }
    }
  }
}
