package io.headgate.server.keyed;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How long this node takes to answer, for each method, and how many of its answers are errors. */
final class CallTimes extends ServerStreamTracer.Factory {

  private static final double[] QUANTILES = {0.5, 0.99, 1};

  private final MeterRegistry registry;
  private final boolean quantiles;
  private final LongSupplier nanos;
  private final Map<String, Method> methods = new ConcurrentHashMap<>();

  /**
   * Creates one that has seen no call.
   *
   * @param quantiles whether quantiles of the last minutes are kept
   * @param nanos a clock that only goes forward
   */
  CallTimes(MeterRegistry registry, boolean quantiles, LongSupplier nanos) {
    this.registry = registry;
    this.quantiles = quantiles;
    this.nanos = nanos;
  }

  /** The calls of one method. */
  final class Method {
    private final String name;
    private final Timer succeeded;
    private final Timer failed;

    private Method(String name) {
      this.name = name;
      succeeded = timer(name, "success");
      failed = timer(name, "failed");
    }

    String name() {
      return name;
    }

    Timer succeeded() {
      return succeeded;
    }

    Timer failed() {
      return failed;
    }
  }

  private Timer timer(String method, String status) {
    Timer.Builder timer =
        Timer.builder("headgate.ring.calls")
            .description("Calls of clients and peers, and how long their answers took")
            .tag("method", method)
            .tag("status", status);
    if (quantiles) {
      timer.publishPercentiles(QUANTILES);
    }
    return timer.register(registry);
  }

  /** All methods that were called, by name. */
  Collection<Method> methods() {
    return new TreeMap<>(methods).values();
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
    Method method = methods.computeIfAbsent(fullMethodName, Method::new);
    long begun = nanos.getAsLong();
    return new ServerStreamTracer() {
      @Override
      public void streamClosed(Status status) {
        (status.isOk() ? method.succeeded : method.failed)
            .record(nanos.getAsLong() - begun, TimeUnit.NANOSECONDS);
      }
    };
  }
}
