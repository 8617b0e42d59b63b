package io.headgate.benchmarks.envoy;

import io.headgate.benchmarks.Benchmark;
import io.headgate.benchmarks.BenchmarkFailure;
import io.headgate.benchmarks.Effort;
import io.headgate.benchmarks.Figure;
import io.headgate.benchmarks.Series;
import io.headgate.benchmarks.process.ChildProcess;
import io.headgate.benchmarks.process.RedisProcess;
import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.envoy.process.EnvoyProcess;
import io.headgate.envoy.ratelimit.RateLimitService;
import io.headgate.envoy.ratelimit.ServiceSettings;
import io.headgate.envoy.ratelimit.rules.LimitCheck;
import io.headgate.envoy.ratelimit.rules.RateLimitRules;
import io.headgate.envoy.ratelimit.rules.RuleFiles;
import io.headgate.envoy.ratelimit.stats.RateLimitStats;
import io.headgate.keyed.local.LocalKeyedLimiter;
import io.headgate.server.Headgate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * What limiting costs where Envoy is: a call of the rate limit service beside the decision in it,
 * and requests through an Envoy that passes on only, one that drops by Headgate's stages, and one
 * that asks the rate limit service.
 */
public final class EnvoyBenchmark implements Benchmark {

  private static final Duration START = Duration.ofSeconds(30);
  private static final double NANOS_PER_MICRO = 1e3;

  private static final String LIMITS =
      """
      domain: benchmark
      descriptors:
        - key: path
          rate_limit: { unit: hour, requests_per_unit: 4294967295 }
      """;

  /** A rule for each stage, none of which drops anything. */
  private static final String RULES =
      """
      service: benchmark
      rules:
        - { name: pair, match: { caller: wrk, procedure: /* }, limit: 1000000000/s }
        - { name: callers, per: [caller], limit: 1000000000/s }
        - { name: procedures, per: [procedure], limit: 1000000000/s }
        - { name: all, limit: 1000000000/s }
      """;

  @Override
  public String name() {
    return "envoy";
  }

  @Override
  public String summary() {
    return "calls of the rate limit service, and requests through Envoy by wrk; needs both";
  }

  @Override
  public void run(Effort effort, Consumer<Figure> figures, Consumer<String> progress)
      throws InterruptedException {
    try {
      Path directory = Files.createTempDirectory("headgate-benchmark");
      Path limits = Files.createDirectory(directory.resolve("limits"));
      Files.writeString(limits.resolve("benchmark.yaml"), LIMITS);
      Path rules = Files.createDirectory(directory.resolve("rules"));
      Files.writeString(rules.resolve("benchmark.yaml"), RULES);
      calls(directory, limits, effort, figures, progress);
      throughEnvoy(directory, limits, rules, effort, figures, progress);
    } catch (IOException e) {
      throw new BenchmarkFailure("envoy: " + e.getMessage(), e);
    }
  }

  private static void calls(
      Path directory,
      Path limits,
      Effort effort,
      Consumer<Figure> figures,
      Consumer<String> progress)
      throws InterruptedException {
    long nanos = TimeUnit.SECONDS.toNanos(effort == Effort.FULL ? 10 : 2);
    report(figures, "decision", "in-process", decisions(limits, nanos));
    progress.accept("decision in-process");
    try (ChildProcess service = service("local", directory, limits, List.of())) {
      report(figures, "one-call", "local", CallLoad.calls(service.grpcAddress(), nanos, nanos));
      progress.accept("one-call local");
    }
    try (RedisProcess redis = RedisProcess.start();
        ChildProcess service =
            service("redis", directory, limits, List.of("--redis", redis.uri()))) {
      report(figures, "one-call", "redis", CallLoad.calls(service.grpcAddress(), nanos, nanos));
      progress.accept("one-call redis");
    }
  }

  private static Histogram decisions(Path limits, long nanos) {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      RateLimitRules rules =
          new RuleFiles(LimitCheck.NONE, false, Set.of("path")).read(limits).rules();
      RateLimitService service =
          new RateLimitService(
              () -> rules,
              LocalKeyedLimiter.create(),
              ServiceSettings.DEFAULT,
              new RateLimitStats(),
              System::nanoTime,
              System::currentTimeMillis,
              timer);
      CallLoad.times(request -> service.decide(request, Long.MAX_VALUE), nanos);
      return CallLoad.times(request -> service.decide(request, Long.MAX_VALUE), nanos);
    } finally {
      timer.shutdownNow();
    }
  }

  private static void report(
      Consumer<Figure> figures, String scenario, String subject, Histogram times) {
    for (int percentile : new int[] {50, 99}) {
      figures.accept(
          new Figure(
              "envoy",
              scenario,
              "headgate-" + subject,
              "p" + percentile,
              times.getValueAtPercentile(percentile) / NANOS_PER_MICRO,
              null,
              "us"));
    }
  }

  private static ChildProcess service(String name, Path directory, Path limits, List<String> more)
      throws InterruptedException {
    List<String> arguments =
        new ArrayList<>(List.of("ratelimit", "--rules", limits.toString(), "--exit-with-parent"));
    arguments.addAll(List.of("--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"));
    arguments.addAll(more);
    return ChildProcess.start("ratelimit-" + name, directory, Headgate.class, arguments);
  }

  private static void throughEnvoy(
      Path directory,
      Path limits,
      Path rules,
      Effort effort,
      Consumer<Figure> figures,
      Consumer<String> progress)
      throws IOException, InterruptedException {
    EnvoyBinary binary = EnvoyBinary.of(EnvoyBinary.NEWEST);
    InetSocketAddress headgate = InetSocketAddress.createUnresolved("127.0.0.1", freePort());
    try (ChildProcess service = service("filter", directory, limits, List.of());
        ChildProcess server =
            ChildProcess.start(
                "headgate",
                directory,
                Headgate.class,
                List.of(
                    "server",
                    "--role",
                    "aggregator,controller,envoy",
                    "--region",
                    "region",
                    "--zone",
                    "zone",
                    "--rules",
                    rules.toString(),
                    "--listen",
                    "127.0.0.1:0",
                    "--http",
                    "127.0.0.1:0",
                    "--envoy",
                    "127.0.0.1:" + headgate.getPort(),
                    "--exit-with-parent"));
        EnvoyProcess upstream = EnvoyProcess.start(binary, Bootstraps.upstream(), 1)) {
      int behind = upstream.awaitLive(START).listener("ingress").getPort();
      int port = Integer.parseInt(service.grpcAddress().replaceFirst(".*:", ""));
      progress.accept("headgate serves at " + server.grpcAddress());
      try (EnvoyProcess plain = EnvoyProcess.start(binary, Bootstraps.plain(behind), 1);
          EnvoyProcess stages = EnvoyProcess.start(binary, Bootstraps.stages(behind, headgate), 1);
          EnvoyProcess filter = EnvoyProcess.start(binary, Bootstraps.filter(behind, port), 1)) {
        Map<String, EnvoyProcess> subjects = new LinkedHashMap<>();
        subjects.put("envoy-plain", plain.awaitLive(START));
        subjects.put("headgate-stages", stages.awaitLive(START));
        subjects.put("headgate-filter", filter.awaitLive(START));
        slices(subjects, effort, figures, progress);
      }
    }
  }

  /** The subjects take turns, so that a slow moment meets all of them. */
  private static void slices(
      Map<String, EnvoyProcess> subjects,
      Effort effort,
      Consumer<Figure> figures,
      Consumer<String> progress)
      throws InterruptedException {
    int rounds = effort == Effort.FULL ? 12 : 3;
    int seconds = effort == Effort.FULL ? 3 : 1;
    Map<String, List<Wrk.Slice>> slices = new LinkedHashMap<>();
    for (int round = -1; round < rounds; round++) { // the first is to warm up
      for (Map.Entry<String, EnvoyProcess> subject : subjects.entrySet()) {
        EnvoyProcess envoy = subject.getValue();
        String url = "http://127.0.0.1:" + envoy.listener("ingress").getPort() + "/benchmark";
        Wrk.Slice slice = Wrk.run(url, seconds);
        if (round >= 0) {
          slices.computeIfAbsent(subject.getKey(), name -> new ArrayList<>()).add(slice);
        }
        progress.accept(subject.getKey() + " " + Math.round(slice.requestsPerSecond()) + "/s");
      }
    }
    slices.forEach(
        (subject, of) -> {
          mean(figures, subject, "throughput", "requests/s", of, Wrk.Slice::requestsPerSecond);
          mean(figures, subject, "p50", "us", of, Wrk.Slice::p50);
          mean(figures, subject, "p99", "us", of, Wrk.Slice::p99);
        });
  }

  private static void mean(
      Consumer<Figure> figures,
      String subject,
      String metric,
      String unit,
      List<Wrk.Slice> slices,
      ToDoubleFunction<Wrk.Slice> value) {
    Series series = new Series();
    slices.forEach(slice -> series.add(value.applyAsDouble(slice)));
    figures.accept(
        new Figure("envoy", "through-envoy", subject, metric, series.mean(), series.error(), unit));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
