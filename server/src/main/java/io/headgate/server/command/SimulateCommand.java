package io.headgate.server.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.headgate.server.terminal.ProgressBar;
import io.headgate.server.terminal.UserError;
import io.headgate.simulator.result.Chart;
import io.headgate.simulator.result.Result;
import io.headgate.simulator.run.Simulation;
import io.headgate.simulator.scenario.Catalogue;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.scenario.ScenarioReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate simulate}: runs a scenario in virtual time. */
@Command(
    name = "simulate",
    description = {
      "Run a scenario in virtual time: the classes that run in production, over a simulated network.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    subcommands = {CompareCommand.class, CampaignCommand.class},
    footer = {
      "",
      "Ends with 0 if the scenario's expectations are met and with 1 if not.",
      "",
      "Examples:",
      "  headgate simulate --list",
      "  headgate simulate step",
      "  headgate simulate step --seed 7 --chart step.svg",
      "  headgate simulate my-fleet.yaml --json | jq .figures",
      "  headgate simulate compare",
      "  headgate simulate campaign --seeds 1000"
    })
public final class SimulateCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME|FILE.yaml",
      description = "A scenario that comes with Headgate, or one of your own.")
  private @Nullable String scenario;

  @Option(names = "--list", description = "List the scenarios that come with Headgate.")
  private boolean list;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "What all chance follows from. Default: the scenario's own.")
  private @Nullable Long seed;

  @Option(
      names = "--scale",
      paramLabel = "PART",
      description = "Run a part of a scenario's crowd, above 0, to 1, with as much of its buckets.")
  private double scale = 1;

  @Option(
      names = "--json",
      description = "Print {scenario, seed, passed, assertions, figures} on standard output.")
  private boolean asJson;

  @Option(
      names = "--chart",
      paramLabel = "FILE.svg",
      description = "Draw offered, admitted, limit and drop ratio over time.")
  private @Nullable Path chart;

  @Override
  public Integer call() throws JsonProcessingException {
    PrintWriter out = spec.commandLine().getOut();
    if (list) {
      for (Scenario each : Catalogue.all()) {
        out.printf(Locale.ROOT, "%-22s %s%n", each.name(), each.about());
      }
      out.flush();
      return 0;
    }
    if (scenario == null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "no scenario given (expected: a name of --list, or a file)");
    }
    Scenario toRun = atScale(find(scenario));
    silence();
    Result result = run(toRun);
    if (asJson) {
      out.println(JsonMapper.builder().build().writeValueAsString(result));
    } else {
      print(toRun, result, out);
    }
    out.flush();
    draw(result);
    return result.passed() ? 0 : UserError.FAILED;
  }

  private Scenario atScale(Scenario found) {
    try {
      return scale == 1 ? found : found.scaled(scale);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Result run(Scenario toRun) {
    ProgressBar bar = new ProgressBar(spec.commandLine().getErr());
    try {
      return Simulation.run(toRun, seed == null ? toRun.seed() : seed, bar::show);
    } catch (IllegalArgumentException e) {
      throw UserError.failed("scenario '" + toRun.name() + "': " + e.getMessage());
    } finally {
      bar.clear();
    }
  }

  private Scenario find(String name) {
    if (Catalogue.names().contains(name)) {
      return Catalogue.get(name);
    }
    Path file = Path.of(name);
    if (!Files.isReadable(file)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "scenario: '"
              + name
              + "' (expected: a readable file, or one of "
              + String.join(", ", Catalogue.names())
              + ")");
    }
    ScenarioReader.Reading reading;
    try {
      reading = ScenarioReader.read(name, Files.readAllBytes(file));
    } catch (IOException e) {
      throw UserError.failed("cannot read '" + name + "': " + e.getMessage());
    }
    PrintWriter err = spec.commandLine().getErr();
    reading.problems().forEach(err::println);
    err.flush();
    Scenario read = reading.scenario();
    if (read == null) {
      throw UserError.failed("'" + name + "' is no scenario, see above");
    }
    return read;
  }

  /** What hundreds of simulated processes and their libraries log is of no use to anybody. */
  static void silence() {
    Logger.getLogger("io.headgate").setLevel(Level.OFF);
    if (LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)
        instanceof ch.qos.logback.classic.Logger root) {
      root.setLevel(ch.qos.logback.classic.Level.OFF);
    }
  }

  private static void print(Scenario scenario, Result result, PrintWriter out) {
    out.printf(
        Locale.ROOT, "%s, seed %d: %s%n%n", result.scenario(), result.seed(), scenario.about());
    result
        .figures()
        .forEach((name, value) -> out.printf(Locale.ROOT, "  %-28s %14.4f%n", name, value));
    out.println();
    for (Result.Assertion assertion : result.assertions()) {
      out.printf(
          Locale.ROOT,
          "  %s  %-28s %.4f (expected: %s)%n",
          assertion.passed() ? "ok    " : "FAILED",
          assertion.name(),
          assertion.found(),
          assertion.expected());
    }
    out.printf(Locale.ROOT, "%n%s%n", result.passed() ? "passed" : "failed");
  }

  private void draw(Result result) {
    if (chart != null) {
      try {
        Chart.write(result, chart);
      } catch (IOException e) {
        throw UserError.failed("cannot draw '" + chart + "': " + e.getMessage());
      }
    }
  }
}
