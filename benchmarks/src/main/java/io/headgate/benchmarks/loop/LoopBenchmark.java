package io.headgate.benchmarks.loop;

import io.headgate.benchmarks.Benchmark;
import io.headgate.benchmarks.BenchmarkFailure;
import io.headgate.benchmarks.Effort;
import io.headgate.benchmarks.Figure;
import io.headgate.benchmarks.process.ChildProcess;
import io.headgate.control.rules.RuleCodec;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.ServiceRules;
import io.headgate.protocol.RuleMessages;
import io.headgate.server.Headgate;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The cost and speed of the loop: an aggregator process under the reports of a fleet, with a
 * controller process behind it; and beside it a gRPC server that takes the same reports and does
 * nothing with them.
 */
public final class LoopBenchmark implements Benchmark {

  private static final String PEER = "bare-grpc";

  /**
   * How long to watch.
   *
   * @param settleSeconds until connections are warm and directives out
   * @param watchSeconds for which figures are taken
   */
  private record Phases(int settleSeconds, int watchSeconds) {}

  @Override
  public String name() {
    return "loop";
  }

  @Override
  public String summary() {
    return "the cost of one aggregator process for 2,000 agents of 20 buckets, and the time from"
        + " report to directive";
  }

  @Override
  public void run(Effort effort, Consumer<Figure> figures, Consumer<String> progress)
      throws InterruptedException {
    try {
      Path directory = Files.createTempDirectory("headgate-benchmark");
      try {
        ServiceRules rules = Shape.rules();
        measureHeadgate(directory, rules, effort, figures, progress);
        measurePeer(directory, rules, effort, figures, progress);
      } finally {
        delete(directory);
      }
    } catch (IOException e) {
      throw new BenchmarkFailure("loop: " + e, e);
    }
  }

  private static void measureHeadgate(
      Path directory,
      ServiceRules rules,
      Effort effort,
      Consumer<Figure> figures,
      Consumer<String> progress)
      throws IOException, InterruptedException {
    Path ruleDirectory = Files.createDirectory(directory.resolve("rules"));
    Files.writeString(ruleDirectory.resolve("load.yaml"), RuleCodec.write(List.of(rules)));
    try (ChildProcess controller =
            server("controller", directory, "--rules", ruleDirectory.toString());
        ChildProcess aggregator =
            server(
                "aggregator",
                directory,
                "--zone",
                Shape.LOCATION.zone(),
                "--controllers",
                controller.grpcAddress())) {
      Phases phases = effort == Effort.QUICK ? new Phases(3, 10) : new Phases(8, 30);
      Observation observation = observe(Figure.HEADGATE, aggregator, phases, progress);
      observation.costs().forEach(figures);
      observation.reactions().forEach(figures);
    }
  }

  private static void measurePeer(
      Path directory,
      ServiceRules rules,
      Effort effort,
      Consumer<Figure> figures,
      Consumer<String> progress)
      throws IOException, InterruptedException {
    Path message = directory.resolve("rules.binary");
    Files.write(message, RuleMessages.all(RuleSet.of(1, List.of(rules))).toByteArray());
    try (ChildProcess peer =
        ChildProcess.start(PEER, directory, BareAggregator.class, List.of(message.toString()))) {
      Phases phases = effort == Effort.QUICK ? new Phases(2, 5) : new Phases(5, 15);
      observe(PEER, peer, phases, progress).costs().forEach(figures);
    }
  }

  private static ChildProcess server(String role, Path directory, String... options)
      throws InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("server", "--role", role, "--region", Shape.LOCATION.region()));
    arguments.addAll(List.of("--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"));
    arguments.add("--exit-with-parent");
    arguments.addAll(List.of(options));
    return ChildProcess.start(role, directory, Headgate.class, arguments);
  }

  private static Observation observe(
      String subject, ChildProcess aggregator, Phases phases, Consumer<String> progress)
      throws InterruptedException {
    try (Fleet fleet = new Fleet(aggregator.grpcAddress())) {
      progress.accept(subject + ": connecting " + Shape.AGENTS + " agents");
      fleet.start();
      progress.accept(subject + ": connected, settling for " + phases.settleSeconds + " s");
      TimeUnit.SECONDS.sleep(phases.settleSeconds);
      progress.accept(subject + ": measuring for " + phases.watchSeconds + " s");
      Observation observation = new Observation(subject, fleet, aggregator);
      observation.watch(phases.watchSeconds);
      if (observation.lost() > 0) {
        progress.accept(
            subject
                + ": agents connected anew "
                + observation.lost()
                + " times; the machine was too busy for these figures to mean much");
      }
      return observation;
    }
  }

  private static void delete(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
