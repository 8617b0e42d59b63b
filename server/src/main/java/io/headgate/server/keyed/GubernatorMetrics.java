package io.headgate.server.keyed;

import io.headgate.keyed.ring.KeyedRing;
import io.headgate.keyed.ring.RingGauges;
import io.headgate.keyed.ring.RingStats;
import io.headgate.keyed.ring.RingStats.Event;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import java.util.concurrent.TimeUnit;

/**
 * The metrics of a node under the names of Gubernator, as text: those names end as the Prometheus
 * library does not let the names of counters end.
 */
final class GubernatorMetrics {

  private final StringBuilder text = new StringBuilder();

  private GubernatorMetrics() {}

  static String of(KeyedRing ring, CallTimes calls) {
    GubernatorMetrics metrics = new GubernatorMetrics();
    metrics.write(ring.stats(), ring.gauges());
    metrics.write(calls);
    return metrics.text.toString();
  }

  private void write(RingStats stats, RingGauges gauges) {
    type("gubernator_getratelimit_counter", "counter");
    line("gubernator_getratelimit_counter{calltype=\"local\"}", stats.count(Event.LOCAL));
    line("gubernator_getratelimit_counter{calltype=\"forward\"}", stats.count(Event.FORWARDED));
    line("gubernator_getratelimit_counter{calltype=\"global\"}", stats.count(Event.GLOBAL));
    single("gubernator_over_limit_counter", "counter", stats.count(Event.OVER_LIMIT));
    type("gubernator_check_error_counter", "counter");
    error("Request too large", stats.count(Event.TOO_LARGE));
    error("Invalid request", stats.count(Event.INVALID));
    error("Invalid algorithm", stats.count(Event.UNCOUNTABLE));
    error("Peer not connected", stats.count(Event.UNREACHABLE));
    single("gubernator_updatepeerglobals_counter", "counter", stats.count(Event.UPDATED));
    single("gubernator_cache_size", "gauge", gauges.buckets());
    type("gubernator_cache_access_count", "counter");
    line("gubernator_cache_access_count{type=\"hit\"}", gauges.hits());
    line("gubernator_cache_access_count{type=\"miss\"}", gauges.misses());
    single("gubernator_unexpired_evictions_count", "counter", gauges.unexpiredEvictions());
    single("gubernator_global_send_queue_length", "gauge", gauges.owedKeys());
    single("gubernator_global_send_errors", "counter", gauges.owedErrors());
    single("gubernator_global_queue_length", "gauge", gauges.untoldKeys());
    single("gubernator_broadcast_errors", "counter", gauges.broadcastErrors());
    type("gubernator_batch_queue_length", "gauge");
    for (RingGauges.PeerGauges peer : gauges.peers()) {
      line("gubernator_batch_queue_length{peerAddr=\"" + peer.address() + "\"}", peer.queued());
    }
  }

  private void write(CallTimes calls) {
    type("gubernator_grpc_request_counts", "counter");
    for (CallTimes.Method method : calls.methods()) {
      counts(method, "success", method.succeeded().count());
      counts(method, "failed", method.failed().count());
    }
    type("gubernator_grpc_request_duration", "summary");
    for (CallTimes.Method method : calls.methods()) {
      String name = "gubernator_grpc_request_duration";
      String tag = "method=\"/" + method.name() + '"';
      HistogramSnapshot times = method.succeeded().takeSnapshot();
      for (ValueAtPercentile value : times.percentileValues()) {
        String quantile = ",quantile=\"" + value.percentile() + '"';
        line(name + '{' + tag + quantile + '}', value.value(TimeUnit.SECONDS));
      }
      line(name + "_sum{" + tag + '}', times.total(TimeUnit.SECONDS));
      line(name + "_count{" + tag + '}', times.count());
    }
  }

  private void counts(CallTimes.Method method, String status, long count) {
    String tags = "{status=\"" + status + "\",method=\"/" + method.name() + "\"}";
    line("gubernator_grpc_request_counts" + tags, count);
  }

  private void error(String error, long count) {
    line("gubernator_check_error_counter{error=\"" + error + "\"}", count);
  }

  private void single(String name, String type, long value) {
    type(name, type);
    line(name, value);
  }

  private void type(String name, String type) {
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void line(String name, double value) {
    text.append(name).append(' ').append(value).append('\n');
  }

  private void line(String name, long value) {
    text.append(name).append(' ').append(value).append('\n');
  }
}
