package io.headgate.envoy.proxy;

import com.google.protobuf.ByteString;
import io.envoyproxy.envoy.service.metrics.v3.StreamMetricsMessage;
import io.envoyproxy.envoy.service.metrics.v3.StreamMetricsResponse;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.headgate.core.time.EventLoop;
import io.headgate.envoy.stage.Stage;
import io.headgate.protocol.link.GrpcAcceptor;
import io.prometheus.client.Metrics.LabelPair;
import io.prometheus.client.Metrics.Metric;
import io.prometheus.client.Metrics.MetricFamily;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what proxies count. A stream is always read on, whatever becomes of its messages: a proxy
 * whose stream is not read keeps what it cannot send, without bound. Counts are added up on the
 * thread that reads, so that nothing waits in a queue for whoever reports them.
 */
final class MetricsIntake
    implements ServerCallHandler<StreamMetricsMessage, StreamMetricsResponse> {

  private static final Logger logger = LoggerFactory.getLogger(MetricsIntake.class);

  private static final ByteString REQUESTS = ByteString.copyFromUtf8("headgate.rq");
  private static final ByteString DROPS = ByteString.copyFromUtf8("headgate.drop");

  /** More than a proxy can count between two flushes; what is above is no count. */
  private static final double MOST = 1e12;

  private final Identification identification;
  private final Proxies proxies;
  private final EventLoop loop;
  private final DataPlaneMetrics metrics;

  MetricsIntake(
      Identification identification, Proxies proxies, EventLoop loop, DataPlaneMetrics metrics) {
    this.identification = identification;
    this.proxies = proxies;
    this.loop = loop;
    this.metrics = metrics;
  }

  @Override
  public ServerCall.Listener<StreamMetricsMessage> startCall(
      ServerCall<StreamMetricsMessage, StreamMetricsResponse> call, Metadata headers) {
    call.sendHeaders(new Metadata());
    call.request(2);
    return new Stream(call);
  }

  private final class Stream extends ServerCall.Listener<StreamMetricsMessage> {

    private final ServerCall<StreamMetricsMessage, StreamMetricsResponse> call;
    private @Nullable Proxy proxy;
    private boolean identified;
    private boolean failed;

    Stream(ServerCall<StreamMetricsMessage, StreamMetricsResponse> call) {
      this.call = call;
    }

    @Override
    public void onMessage(StreamMetricsMessage message) {
      try {
        take(message);
      } catch (RuntimeException e) {
        // A stream that is not read on costs the proxy memory; a message that is lost costs counts.
        metrics.refusedMessage();
        if (!failed) {
          failed = true;
          logger.warn("A message of counts was left out", e);
        }
      } finally {
        call.request(1);
      }
    }

    private void take(StreamMetricsMessage message) {
      if (!identified && message.hasIdentifier()) {
        identified = true;
        proxy = identification.identify(message.getIdentifier().getNode(), GrpcAcceptor.peer(call));
        if (proxy != null) {
          proxy.countsBegin();
        }
      }
      Proxy of = proxy;
      if (of == null) {
        return;
      }
      long stampMillis = 0;
      long nowNanos = loop.nanoTime();
      int counted = 0;
      for (MetricFamily family : message.getEnvoyMetricsList()) {
        boolean requests = family.getNameBytes().equals(REQUESTS);
        if (requests || family.getNameBytes().equals(DROPS)) {
          for (Metric metric : family.getMetricList()) {
            counted += add(of, metric, requests, nowNanos);
            stampMillis = metric.getTimestampMs();
          }
        } else if (stampMillis == 0 && family.getMetricCount() > 0) {
          stampMillis = family.getMetric(0).getTimestampMs();
        }
      }
      metrics.counts(counted);
      of.counted(stampMillis, message.getEnvoyMetricsCount());
    }

    @Override
    public void onHalfClose() {
      over();
      call.sendMessage(StreamMetricsResponse.getDefaultInstance());
      call.close(Status.OK, new Metadata());
    }

    @Override
    public void onCancel() {
      over();
    }

    private void over() {
      if (proxy != null) {
        proxies.close(proxy);
        proxy = null;
      }
    }
  }

  /** Adds one counter, and says how many it was: 0 if nothing was counted. */
  private int add(Proxy proxy, Metric metric, boolean requests, long nowNanos) {
    double value = metric.getCounter().getValue();
    if (!(value >= 1 && value <= MOST)) {
      return 0;
    }
    String service = "";
    String caller = "";
    String procedure = "";
    String key = "";
    for (LabelPair label : metric.getLabelList()) {
      switch (label.getName()) {
        case "service" -> service = Text.of(label.getValueBytes());
        case "caller" -> caller = Text.of(label.getValueBytes());
        case "procedure" -> procedure = Text.of(label.getValueBytes());
        case "key" -> key = Text.of(label.getValueBytes());
        default -> {
          // Envoy's own labels.
        }
      }
    }
    long number = Math.round(value);
    PairCounts counts = proxy.counts(service, caller, procedure, nowNanos);
    if (requests) {
      counts.addRequests(number, nowNanos);
    } else {
      Stage stage = Stage.ofKey(key);
      if (stage == null) {
        metrics.refusedMessage();
        return 0;
      }
      counts.addDrops(stage, number);
    }
    return 1;
  }
}
