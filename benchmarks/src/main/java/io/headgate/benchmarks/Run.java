package io.headgate.benchmarks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.benchmarks.envoy.ProxyBenchmark;
import io.headgate.benchmarks.judge.JudgeBenchmark;
import io.headgate.benchmarks.limiters.LimitersBenchmark;
import io.headgate.benchmarks.limiters.RedisBenchmark;
import io.headgate.benchmarks.loop.LoopBenchmark;
import io.headgate.benchmarks.ring.RingBenchmark;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code benchmarks/run}. */
@Command(
    name = "benchmarks/run",
    sortOptions = false,
    description = {
      "Measures Headgate, beside its peers in the same run.%n",
      "The result is a table; with --json, one line a figure."
    },
    footer = {
      "%nExamples:",
      "  benchmarks/run --list             what there is",
      "  benchmarks/run judge              a table of the cost of one decision",
      "  benchmarks/run judge --quick      the same in under a minute, less exact",
      "  benchmarks/run loop --json        JSON on standard output, progress on standard error"
    })
public final class Run implements Callable<Integer> {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<Benchmark> benchmarks;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "The benchmark to run; see --list.")
  private @Nullable String name;

  @Option(names = "--list", description = "List the benchmarks.")
  private boolean list;

  @Option(
      names = "--json",
      description =
          "Print each figure as a line of JSON: benchmark, case, subject, metric, value, error, unit.")
  private boolean json;

  @Option(
      names = "--target",
      paramLabel = "HOST:PORT",
      description = "ring: measure this address alone; anything that speaks Gubernator's API.")
  private @Nullable String target;

  @Option(names = "--quick", description = "Take less than a minute, and be less exact.")
  private boolean quick;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  private Run(List<Benchmark> benchmarks) {
    this.benchmarks = benchmarks;
  }

  /** Runs one benchmark; the exit status is 0 if it was measured, 1 if not, 2 for a usage error. */
  public static void main(String[] args) {
    System.exit(
        commandLine(
                List.of(
                    new JudgeBenchmark(),
                    new LoopBenchmark(),
                    new LimitersBenchmark(),
                    new RedisBenchmark(),
                    new RingBenchmark(),
                    new ProxyBenchmark()))
            .execute(args));
  }

  /** The command for these benchmarks. */
  static CommandLine commandLine(List<Benchmark> benchmarks) {
    return new CommandLine(new Run(benchmarks)).setExecutionExceptionHandler(Run::explain);
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (list) {
      benchmarks.forEach(each -> out.printf("%-8s %s%n", each.name(), each.summary()));
      return 0;
    }
    run(benchmark(), out, spec.commandLine().getErr());
    return 0;
  }

  private Benchmark benchmark() {
    Map<String, Benchmark> byName = new LinkedHashMap<>();
    benchmarks.forEach(each -> byName.put(each.name(), each));
    Benchmark benchmark = name == null ? null : byName.get(name);
    if (benchmark == null) {
      throw new ParameterException(
          spec.commandLine(),
          "benchmark: "
              + (name == null ? "none given" : "'" + name + "'")
              + " (expected: one of "
              + String.join(", ", byName.keySet())
              + ")");
    }
    if (target != null) {
      if (!(benchmark instanceof RingBenchmark ring)) {
        throw new ParameterException(
            spec.commandLine(), "--target: only for the benchmark ring (found: " + name + ")");
      }
      ring.target(target);
    }
    return benchmark;
  }

  private void run(Benchmark benchmark, PrintWriter out, PrintWriter err)
      throws InterruptedException {
    Machine machine = Machine.current();
    err.println(machine);
    err.flush();
    List<Figure> figures = new ArrayList<>();
    benchmark.run(
        quick ? Effort.QUICK : Effort.FULL,
        figure -> {
          figures.add(figure);
          if (json) {
            out.println(toJson(figure));
            out.flush();
          }
        },
        line -> {
          err.println(line);
          err.flush();
        });
    if (!json) {
      out.printf("%n%s%s on %s%n%n", benchmark.name(), quick ? " --quick" : "", machine);
      FigureTable.lines(figures).forEach(out::println);
      out.flush();
    }
  }

  private static String toJson(Figure figure) {
    try {
      return JSON.writeValueAsString(figure);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a figure is always JSON", e);
    }
  }

  private static int explain(Exception exception, CommandLine line, CommandLine.ParseResult parsed)
      throws Exception {
    if (exception instanceof BenchmarkFailure) {
      line.getErr().println("benchmarks/run: " + exception.getMessage());
      return line.getCommandSpec().exitCodeOnExecutionException();
    }
    throw exception;
  }
}
