package io.headgate.server.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.headgate.server.terminal.ProgressBar;
import io.headgate.simulator.baseline.Comparison;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code headgate simulate compare}: Headgate and other limiters under the same traffic. */
@Command(
    name = "compare",
    description = {
      "Compare Headgate with other limiters, under the same traffic.",
      "They are the plain loop, a token bucket in every proxy, a central counter, and",
      "counters that are synchronised several times a second.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  headgate simulate compare",
      "  headgate simulate compare --seed 7 --json | jq .rows"
    })
public final class CompareCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "What all chance follows from. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--json", description = "Print {seed, rows} on standard output.")
  private boolean asJson;

  @Override
  public Integer call() throws JsonProcessingException {
    SimulateCommand.silence();
    ProgressBar progress = new ProgressBar(spec.commandLine().getErr());
    Comparison comparison = Comparison.run(seed, progress::show);
    progress.clear();
    PrintWriter out = spec.commandLine().getOut();
    if (asJson) {
      out.println(JsonMapper.builder().build().writeValueAsString(comparison));
    } else {
      ComparisonView.lines(comparison).forEach(out::println);
    }
    out.flush();
    return 0;
  }
}
