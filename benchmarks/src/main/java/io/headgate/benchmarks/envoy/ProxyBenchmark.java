package io.headgate.benchmarks.envoy;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.headgate.benchmarks.Benchmark;
import io.headgate.benchmarks.BenchmarkFailure;
import io.headgate.benchmarks.Effort;
import io.headgate.benchmarks.Figure;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Location;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.envoy.bootstrap.EnvoyBootstrap;
import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.envoy.process.EnvoyProcess;
import io.headgate.envoy.proxy.DataPlane;
import io.headgate.envoy.proxy.DataPlaneSettings;
import io.headgate.protocol.link.ThreadEventLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What a data plane of one Envoy costs with many callers, and how fast a ratio gets there. */
public final class ProxyBenchmark implements Benchmark {

  private static final int PAIRS = 5_000;
  private static final int HOT = 1_000;
  private static final int PER_SECOND = 2_500;
  private static final String LOOP = "data-plane";
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double PERCENT = 100;
  private static final int USER_TICKS = 11;

  @Override
  public String name() {
    return "proxies";
  }

  @Override
  public String summary() {
    return "one Envoy as a data plane: 5,000 callers, of which 1,000 are dropped from";
  }

  @Override
  public void run(Effort effort, Consumer<Figure> figures, Consumer<String> progress)
      throws InterruptedException {
    int seconds = effort == Effort.QUICK ? 5 : 20;
    try (PairLoad load = new PairLoad(PAIRS, HOT, PER_SECOND);
        Plane plane = new Plane();
        EnvoyProcess envoy = plane.envoy(load.upstream())) {
      load.begin(envoy.listener("ingress"));
      progress.accept("counting " + PAIRS + " callers at " + PER_SECOND + "/s ...");
      pass(load, 6);
      if (!plane.aggregator.knowsBucket()) {
        throw new BenchmarkFailure("the proxy has reported nothing");
      }
      new Phase(plane, envoy, load).measure("counting", seconds, () -> {}, figures);
      progress.accept("dropping from " + HOT + " with a new ratio each second ...");
      plane.aggregator.drop(0.5);
      pass(load, 2);
      int[] round = {0};
      new Phase(plane, envoy, load)
          .measure(
              "dropping",
              seconds,
              () -> plane.aggregator.drop(0.5 + 0.01 * (++round[0] % 10)),
              figures);
      progress.accept("pushing to first drop ...");
      reactions(plane, load, effort == Effort.QUICK ? 5 : 15, figures);
    } catch (IOException e) {
      throw new BenchmarkFailure("not measured: " + e.getMessage());
    }
  }

  private static void pass(PairLoad load, double seconds) throws InterruptedException {
    TimeUnit.MICROSECONDS.sleep((long) (seconds * 1e6));
    if (load.isClosed()) {
      throw new BenchmarkFailure("calls through the proxy failed");
    }
  }

  private void reactions(Plane plane, PairLoad load, int times, Consumer<Figure> figures)
      throws InterruptedException {
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      plane.aggregator.drop(0);
      pass(load, 2);
      load.awaitDrop();
      long fromNanos = System.nanoTime();
      plane.aggregator.drop(1);
      while (load.droppedNanos() == 0) {
        pass(load, 0.001);
      }
      millis.add((load.droppedNanos() - fromNanos) / NANOS_PER_MILLI);
    }
    Collections.sort(millis);
    figure(figures, "directive-to-first-drop", "median", millis.get(millis.size() / 2), "ms");
    figure(figures, "directive-to-first-drop", "worst", millis.get(millis.size() - 1), "ms");
  }

  private void figure(
      Consumer<Figure> figures, String scenario, String metric, double value, String unit) {
    figures.accept(new Figure(name(), scenario, Figure.HEADGATE, metric, value, null, unit));
  }

  /** A stretch of time and what was used in it. */
  private final class Phase {

    private final Plane plane;
    private final EnvoyProcess envoy;
    private final PairLoad load;

    Phase(Plane plane, EnvoyProcess envoy, PairLoad load) {
      this.plane = plane;
      this.envoy = envoy;
      this.load = load;
    }

    void measure(String scenario, int seconds, Runnable eachSecond, Consumer<Figure> figures)
        throws InterruptedException, IOException {
      long fromNanos = System.nanoTime();
      double main = mainThreadSeconds(envoy.pid());
      long all = envoy.processorTime().toNanos();
      double own = ownSeconds();
      double pushes = plane.counted("pushed");
      double bytes = plane.counted("pushed.bytes");
      long calls = load.passed() + load.dropped();
      for (int second = 0; second < seconds; second++) {
        eachSecond.run();
        pass(load, 1);
      }
      double elapsed = (System.nanoTime() - fromNanos) / NANOS_PER_SECOND;
      figure(figures, scenario, "calls", (load.passed() + load.dropped() - calls) / elapsed, "/s");
      figure(
          figures,
          scenario,
          "envoy-main-thread",
          PERCENT * (mainThreadSeconds(envoy.pid()) - main) / elapsed,
          "% of a core");
      figure(
          figures,
          scenario,
          "envoy",
          PERCENT * (envoy.processorTime().toNanos() - all) / NANOS_PER_SECOND / elapsed,
          "% of a core");
      figure(
          figures, scenario, "data-plane", PERCENT * (ownSeconds() - own) / elapsed, "% of a core");
      double pushed = plane.counted("pushed") - pushes;
      figure(figures, scenario, "pushes", pushed / elapsed, "/s");
      if (pushed > 0) {
        figure(
            figures, scenario, "push", (plane.counted("pushed.bytes") - bytes) / pushed, "bytes");
      }
    }
  }

  /** The processor time of the threads that take counts and push layers. */
  private static double ownSeconds() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (info != null
          && (info.getThreadName().equals(LOOP) || info.getThreadName().startsWith("grpc-"))) {
        nanos += Math.max(0, threads.getThreadCpuTime(info.getThreadId()));
      }
    }
    return nanos / NANOS_PER_SECOND;
  }

  /** The processor time of the main thread of a process on Linux, whose ticks are 10 ms. */
  private static double mainThreadSeconds(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/task/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[USER_TICKS + 1])) / PERCENT;
  }

  /** The data plane in this process, with a port for an Envoy. */
  private static final class Plane implements AutoCloseable {

    private final ThreadEventLoop loop = ThreadEventLoop.start(LOOP);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ScriptedAggregator aggregator;
    private final DataPlane dataPlane;
    private final Server server;

    Plane() throws IOException {
      aggregator =
          new ScriptedAggregator(
              loop,
              RuleSet.of(1, List.of(new ServiceRules("shop", List.of(rule("hot"), rule("cold"))))),
              "hot");
      dataPlane =
          new DataPlane(
              DataPlaneSettings.of(
                  new Location("eu", "eu-1"), List.of("aggregator"), Duration.ofSeconds(10)),
              loop,
              aggregator,
              new SplittableRandom(),
              System::currentTimeMillis,
              registry);
      NettyServerBuilder builder =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .maxInboundMessageSize(32 * 1024 * 1024)
              .directExecutor();
      dataPlane.services().forEach(builder::addService);
      server = builder.build().start();
      dataPlane.start();
    }

    /** A rule that has a key for each pair of its callers. */
    private static Rule rule(String callers) {
      return new Rule(
          callers,
          NamePattern.of(callers + "-*"),
          NamePattern.of("pay.v1.Pay/*"),
          false,
          false,
          Rate.perSecond(1),
          Map.of(),
          Scope.GLOBAL,
          Behavior.DENY);
    }

    EnvoyProcess envoy(InetSocketAddress upstream) {
      String bootstrap =
          EnvoyBootstrap.builder("shop", "eu-1", upstream)
              .listen(new InetSocketAddress("127.0.0.1", 0))
              .admin(new InetSocketAddress("127.0.0.1", 0))
              .headgate(new InetSocketAddress("127.0.0.1", server.getPort()))
              .build()
              .toYaml();
      return EnvoyProcess.start(EnvoyBinary.any(), bootstrap, 1).awaitLive(Duration.ofSeconds(20));
    }

    double counted(String what) {
      return registry.get("headgate.envoy.layers." + what).counter().count();
    }

    @Override
    public void close() {
      server.shutdownNow();
      loop.close();
    }
  }
}
