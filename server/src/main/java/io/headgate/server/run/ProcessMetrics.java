package io.headgate.server.run;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.logging.LogbackMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;

/** Metrics of the process itself: memory, processor, threads, files, log lines and its build. */
public final class ProcessMetrics implements AutoCloseable {

  private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
  private final LogbackMetrics logLines = new LogbackMetrics();

  /** Adds them to {@code registry}. */
  public ProcessMetrics(MeterRegistry registry, BuildInfo build) {
    new ClassLoaderMetrics().bindTo(registry);
    new JvmInfoMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    garbageCollection.bindTo(registry);
    logLines.bindTo(registry);
    registry.gauge(
        "headgate.build.info", Tags.of("version", build.version(), "commit", build.commit()), 1);
  }

  @Override
  public void close() {
    garbageCollection.close();
    logLines.close();
  }
}
