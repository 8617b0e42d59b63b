package io.headgate.server.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.server.command.EnvironmentDefaults;
import io.headgate.server.command.Termination;
import io.headgate.server.command.VersionCommand;
import io.headgate.server.demo.measure.DemoResult;
import io.headgate.server.demo.sample.SampleRules;
import io.headgate.server.demo.screen.Terminal;
import io.headgate.server.log.Logging;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code headgate demo}: calls of four zones being limited together, on this machine. */
@Command(
    name = "demo",
    description = {
      "See calls of four zones being limited together, on this machine and with nothing to install.",
      "",
      "Runs a control plane of two regions as processes of its own, a sample service and its"
          + " callers, which make real gRPC and HTTP calls, and shows what becomes of them. Ctrl-C"
          + " ends all of it.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    defaultValueProvider = EnvironmentDefaults.class,
    sortOptions = false,
    footer = {
      "",
      "With --json the load is half of the main rule's limit at first, and after 2 s steps to one"
          + " and a half of it; rates are measured from 3 s after that step. The 4 s before, in which"
          + " all parts warm up, do not count.",
      "",
      "Examples:",
      "  headgate demo",
      "  headgate demo --seconds 30 --json",
      "  headgate demo --envoy",
      "  headgate demo --trace requests.csv --speed 100",
      "  headgate demo --rules my-rules/"
    })
public final class DemoCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "0",
      description = "End after N seconds of load. 0: until Ctrl-C. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--json",
      description =
          "Print one JSON object with what was measured, and nothing else, on standard output."
              + " Needs --seconds, "
              + MeasuredRun.MIN_SECONDS
              + " at least.")
  private boolean json;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "Make calls at the times in the first column of this CSV file: dates and times, or"
              + " seconds or milliseconds since 1970.")
  private @Nullable Path trace;

  @Option(
      names = "--speed",
      paramLabel = "FACTOR",
      defaultValue = "1",
      description = "How much faster than recorded to replay the trace. Default: ${DEFAULT-VALUE}.")
  private double speed;

  @Option(
      names = "--rules",
      paramLabel = "DIR",
      description =
          "The directory of rule files. If it has none yet, the demo's own are written into it."
              + " Default: a temporary one.")
  private @Nullable Path rules;

  @Option(
      names = "--envoy",
      description =
          "Have Envoys in two zones before the service judge the calls, and no agents. Needs Envoy"
              + " 1.37 or newer, on the path or put there by tools/install-envoy.")
  private boolean envoy;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    @Nullable TraceReplay replay = trace == null ? null : TraceReplay.read(trace, speed);
    PrintWriter progress = spec.commandLine().getErr();
    DemoFiles files = DemoFiles.create(rules);
    files.redirectStandardError();
    Logging.start(Logging.Form.TEXT);
    Termination termination = Termination.onSignal();
    int exitCode = UserError.FAILED;
    try {
      run(files, envoy ? binary(files) : null, replay, termination, progress);
      files.delete();
      exitCode = 0;
    } catch (IOException e) {
      throw UserError.failed(e.getMessage() + "; all logs are in " + files.logs());
    } finally {
      termination.finished(exitCode);
    }
    return exitCode;
  }

  private void run(
      DemoFiles files,
      @Nullable EnvoyBinary binary,
      @Nullable TraceReplay replay,
      Termination termination,
      PrintWriter progress)
      throws IOException, InterruptedException {
    @Nullable Path ruleFile =
        DemoFiles.hasRules(files.rules())
            ? null
            : writeRules(files.rules(), mainLimitPerSecond(replay));
    progress.println(
        envoy
            ? "starting 2 controllers, 2 aggregators and 2 Envoys..."
            : "starting 2 controllers and 4 aggregators...");
    progress.flush();
    PrintWriter out = spec.commandLine().getOut();
    try (DemoFleet fleet = DemoFleet.start(files.rules(), files.logs(), binary)) {
      if (!fleet.awaitRules(termination)) {
        return;
      }
      if (json) {
        progress.println("measuring for " + seconds + " s...");
        progress.flush();
        print(new MeasuredRun(fleet, replay, seconds).run(termination), out);
      } else {
        Introduction.lines(fleet, files.rules(), files.logs(), ruleFile).forEach(out::println);
        out.flush();
        new LiveRun(fleet, replay, Terminal.detect(System.getenv())).run(termination, out, seconds);
      }
    }
  }

  private Path writeRules(Path directory, double limitPerSecond) throws IOException {
    return envoy
        ? SampleRules.writeForEnvoys(directory, limitPerSecond)
        : SampleRules.write(directory, limitPerSecond);
  }

  private static EnvoyBinary binary(DemoFiles files) throws IOException {
    try {
      return EnvoyBinary.any();
    } catch (IllegalStateException e) {
      files.delete();
      throw UserError.failed("--" + e.getMessage());
    }
  }

  private void check() throws IOException {
    if (seconds < 0) {
      throw UserError.usage("--seconds: " + seconds + " (expected: 0 or more)");
    }
    if (json && seconds < MeasuredRun.MIN_SECONDS) {
      throw UserError.usage(
          "--seconds: "
              + (seconds == 0 ? "missing" : Integer.toString(seconds))
              + " (expected: "
              + MeasuredRun.MIN_SECONDS
              + " or more with --json, so that enough is left to measure once the load is steady)");
    }
    if (trace == null && speed != 1) {
      throw UserError.usage("--speed: " + speed + " without --trace (expected: both)");
    }
    if (json && rules != null && DemoFiles.hasRules(rules)) {
      throw UserError.usage(
          "--rules: '"
              + rules
              + "' has rule files (expected: none with --json, which measures the demo's own)");
    }
  }

  private double mainLimitPerSecond(@Nullable TraceReplay replay) {
    if (replay != null) {
      return replay.mainLimitPerSecond();
    }
    double limit = json ? MeasuredRun.MAIN_LIMIT_PER_SECOND : LiveRun.MAIN_LIMIT_PER_SECOND;
    return envoy ? limit * DemoFleet.LOAD_FACTOR_OF_ENVOYS : limit;
  }

  private static void print(@Nullable DemoResult result, PrintWriter out)
      throws JsonProcessingException {
    if (result != null) {
      out.println(new ObjectMapper().writeValueAsString(result));
      out.flush();
    }
  }
}
