package io.headgate.benchmarks.ring;

import io.headgate.benchmarks.Benchmark;
import io.headgate.benchmarks.BenchmarkFailure;
import io.headgate.benchmarks.Effort;
import io.headgate.benchmarks.Figure;
import io.headgate.benchmarks.process.ChildProcess;
import io.headgate.keyed.ring.hash.Fnv;
import io.headgate.keyed.ring.hash.HashRing;
import io.headgate.server.Headgate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of a cluster under load, each a process, beside a bare gRPC service with the same messages;
 * or any address that speaks the API.
 */
public final class RingBenchmark implements Benchmark {

  private static final String BARE = "bare-grpc";
  private static final String HOP = "bare-hop";
  private static final int KEYS = 100_000;
  private static final int GLOBAL = 2;
  private static final long SEED = 42;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double TENTH = 0.1;
  private static final int MAX_WARM_UP_ROUNDS = 8;
  private static final double STEADY = 1.1;

  private @Nullable String target;

  /** Measures this address alone, whatever is behind it. */
  public void target(String hostPort) {
    target = hostPort;
  }

  @Override
  public String name() {
    return "ring";
  }

  @Override
  public String summary() {
    return "nodes of a cluster under load, beside a bare gRPC service; --target for any address";
  }

  /** A case: what is asked, and how much of it at once; a rate is a part of the first round's. */
  private record Case(String name, Calls calls, int inFlight, double partOfFull) {
    Case(String name, Calls calls, int inFlight) {
      this(name, calls, inFlight, 0);
    }
  }

  /** Something that is asked, and whose processor time counts. */
  private record Subject(String name, String address, List<ChildProcess> processes) {
    long cpuNanos() {
      return processes.stream().mapToLong(ChildProcess::cpuNanos).sum();
    }
  }

  @Override
  public void run(Effort effort, Consumer<Figure> figures, Consumer<String> progress)
      throws InterruptedException {
    Measurement measurement = new Measurement(effort, figures, progress);
    String only = target;
    if (only != null) {
      List<Subject> subjects = List.of(new Subject(only, only, List.of()));
      for (Case each : oneNode()) {
        measurement.measure(each, subjects);
      }
      return;
    }
    try {
      Path directory = Files.createTempDirectory("headgate-ring");
      oneNode(directory, measurement);
      threeNodes(directory, measurement);
    } catch (IOException e) {
      throw new BenchmarkFailure("ring: " + e.getMessage(), e);
    }
  }

  private static RandomGenerator random() {
    return RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(SEED);
  }

  private static Calls calls(int keys, int items, int behavior) {
    return Calls.of(keys, items, behavior, key -> true, random());
  }

  private static List<Case> oneNode() {
    return List.of(
        new Case("single", calls(KEYS, 1, 0), 64),
        new Case("batch-100", calls(KEYS, 100, 0), 16),
        new Case("single-hot-key", calls(1, 1, 0), 64),
        new Case("single-one-in-flight", calls(KEYS, 1, 0), 1));
  }

  private static void oneNode(Path directory, Measurement measurement)
      throws IOException, InterruptedException {
    try (ChildProcess bare = ChildProcess.start(BARE, directory, BareService.class, List.of());
        ChildProcess node = node("node", directory, freePort(), List.of())) {
      List<Subject> subjects =
          List.of(
              new Subject(Figure.HEADGATE, node.grpcAddress(), List.of(node)),
              new Subject(BARE, bare.grpcAddress(), List.of(bare)));
      measurement.untilSteady(oneNode().subList(0, 2), subjects);
      for (Case each : oneNode()) {
        measurement.measure(each, subjects);
      }
    }
  }

  /**
   * All calls come to the first of three nodes, and two thirds of the keys belong to the others.
   */
  private static void threeNodes(Path directory, Measurement measurement)
      throws IOException, InterruptedException {
    List<Integer> ports = List.of(freePort(), freePort(), freePort());
    List<String> addresses = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    try (ChildProcess bare = ChildProcess.start(BARE, directory, BareService.class, List.of());
        ChildProcess hop =
            ChildProcess.start(HOP, directory, BareService.class, List.of(bare.grpcAddress()));
        ChildProcess one = node("node-1", directory, ports.get(0), addresses);
        ChildProcess two = node("node-2", directory, ports.get(1), addresses);
        ChildProcess three = node("node-3", directory, ports.get(2), addresses)) {
      Subject nodes = new Subject(Figure.HEADGATE, one.grpcAddress(), List.of(one, two, three));
      Subject plain = new Subject(BARE, bare.grpcAddress(), List.of(bare));
      Subject hopped = new Subject(HOP, hop.grpcAddress(), List.of(bare, hop));
      HashRing ring = new HashRing(Fnv.FNV1, HashRing.DEFAULT_REPLICAS, addresses);
      Calls forwarded =
          Calls.of(KEYS, 1, 0, key -> ring.ownerIndex(Calls.NAME, Calls.key(key)) != 0, random());
      Case single = new Case("three-nodes-single", calls(KEYS, 1, 0), 64);
      Case batch = new Case("three-nodes-batch-100", calls(KEYS, 100, 0), 16);
      List<Subject> all = List.of(nodes, plain, hopped);
      // Five processes share what processors there are with their own compilers for a while.
      measurement.untilSteady(List.of(batch, single), all);
      measurement.measure(single, all);
      measurement.measure(batch, all);
      measurement.measure(
          new Case("three-nodes-global", calls(KEYS, 1, GLOBAL), 64), List.of(nodes, plain));
      measurement.measure(
          new Case("forwarded-one-in-flight", forwarded, 1), List.of(nodes, plain, hopped));
      measurement.measure(
          new Case("forwarded-tenth-of-full", forwarded, 64, TENTH), List.of(nodes, hopped));
    }
  }

  private static ChildProcess node(String name, Path directory, int port, List<String> peers)
      throws IOException, InterruptedException {
    // A machine that stands still for a moment makes a long time and not an error.
    Path config = Files.writeString(directory.resolve("node.conf"), "GUBER_BATCH_TIMEOUT=5s\n");
    List<String> arguments =
        new ArrayList<>(List.of("keyed", "--config", config.toString(), "--exit-with-parent"));
    arguments.addAll(List.of("--grpc", "127.0.0.1:" + port, "--http", "127.0.0.1:0"));
    if (!peers.isEmpty()) {
      arguments.addAll(List.of("--peers", String.join(",", peers)));
    }
    return ChildProcess.start(name, directory, Headgate.class, arguments);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Measures cases; the subjects take turns, so that a slow moment meets all of them. */
  private record Measurement(Effort effort, Consumer<Figure> figures, Consumer<String> progress) {

    /** Lets the compilers of all processes do their work. */
    void warmUp(List<Case> cases, List<Subject> subjects) throws InterruptedException {
      for (Case each : cases) {
        for (Subject subject : subjects) {
          try (Load load = new Load(subject.address(), each.inFlight())) {
            load.closed(each.calls(), each.inFlight(), nanos());
          }
        }
      }
    }

    /** The same, until the rates of all cases grow no more, for so many rounds at most. */
    void untilSteady(List<Case> cases, List<Subject> subjects) throws InterruptedException {
      int rounds = effort == Effort.FULL ? MAX_WARM_UP_ROUNDS : 1;
      double[] best = new double[cases.size() * subjects.size()];
      boolean grows = true;
      for (int round = 0; grows && round < rounds; round++) {
        progress.accept("warming up, round " + (round + 1) + " of " + rounds + " at most");
        grows = false;
        for (int i = 0; i < best.length; i++) {
          Case each = cases.get(i / subjects.size());
          Subject subject = subjects.get(i % subjects.size());
          try (Load load = new Load(subject.address(), each.inFlight())) {
            double rate = load.closed(each.calls(), each.inFlight(), nanos()).callsPerSecond();
            grows |= rate > best[i] * STEADY;
            best[i] = Math.max(best[i], rate);
          }
        }
      }
    }

    private long nanos() {
      return effort == Effort.FULL ? 4_000_000_000L : 1_500_000_000L;
    }

    void measure(Case each, List<Subject> subjects) throws InterruptedException {
      int rounds = effort == Effort.FULL ? 3 : 1;
      long nanos = nanos();
      warmUp(List.of(each), subjects);
      Histogram[] times = new Histogram[subjects.size()];
      long[] spent = new long[subjects.size()];
      long[] cpu = new long[subjects.size()];
      double rate = 0;
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < subjects.size(); i++) {
          Subject subject = subjects.get(i);
          try (Load load = new Load(subject.address(), each.inFlight())) {
            if (each.partOfFull() > 0 && rate == 0) {
              rate =
                  load.closed(each.calls(), each.inFlight(), nanos).callsPerSecond()
                      * each.partOfFull();
            }
            long before = subject.cpuNanos();
            Load.Result result =
                each.partOfFull() > 0
                    ? load.open(each.calls(), rate, nanos)
                    : load.closed(each.calls(), each.inFlight(), nanos);
            cpu[i] += subject.cpuNanos() - before;
            spent[i] += result.nanos();
            if (round == 0) {
              times[i] = result.times();
            } else {
              times[i].add(result.times());
            }
          }
        }
      }
      for (int i = 0; i < subjects.size(); i++) {
        report(each, subjects.get(i), times[i], spent[i], cpu[i]);
      }
    }

    private void report(Case each, Subject subject, Histogram times, long spent, long cpu) {
      double decisions = times.getTotalCount() * (double) each.calls().items();
      figure(each, subject, "throughput", decisions * 1e9 / spent, "decisions/s");
      for (double percentile : new double[] {50, 99, 99.9}) {
        String name = "p" + (percentile == 99.9 ? "99.9" : Integer.toString((int) percentile));
        double micros = times.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
        figure(each, subject, name, micros, "us");
      }
      if (!subject.processes().isEmpty()) {
        figure(each, subject, "cpu", cpu / NANOS_PER_MICRO / decisions, "us/decision");
      }
      progress.accept(
          each.name() + " " + subject.name() + " " + Math.round(decisions * 1e9 / spent) + "/s");
    }

    private void figure(Case each, Subject subject, String metric, double value, String unit) {
      figures.accept(new Figure("ring", each.name(), subject.name(), metric, value, null, unit));
    }
  }
}
