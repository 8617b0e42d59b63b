package io.headgate.server.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.headgate.server.terminal.ProgressBar;
import io.headgate.server.terminal.UserError;
import io.headgate.simulator.campaign.Campaign;
import io.headgate.simulator.campaign.CampaignResult;
import io.headgate.simulator.campaign.Failure;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code headgate simulate campaign}: runs random worlds and checks what must always be true. */
@Command(
    name = "campaign",
    description = {
      "Run random fleets, demands and faults in virtual time, and check what must always be true.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    footer = {
      "",
      "Ends with 0 if every invariant holds in every world and with 1 if not.",
      "",
      "Examples:",
      "  headgate simulate campaign --seeds 1000",
      "  headgate simulate campaign --seeds 1 --first 4711   repeat one world, and describe it",
      "  headgate simulate campaign --seeds 100 --json | jq .failures"
    })
public final class CampaignCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      required = true,
      description = "How many worlds to run, each from a seed of its own.")
  private int seeds;

  @Option(
      names = "--first",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "The first seed; the others follow it. Default: ${DEFAULT-VALUE}.")
  private long first;

  @Option(
      names = "--json",
      description = "Print {seeds, violations, failures, judged} on standard output.")
  private boolean asJson;

  @Override
  public Integer call() throws JsonProcessingException, InterruptedException {
    if (seeds < 1) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--seeds: " + seeds + " (expected: 1 or more)");
    }
    SimulateCommand.silence();
    ProgressBar bar = new ProgressBar(spec.commandLine().getErr());
    CampaignResult result =
        Campaign.run(first, seeds, Runtime.getRuntime().availableProcessors(), bar::show);
    bar.clear();
    PrintWriter out = spec.commandLine().getOut();
    if (asJson) {
      out.println(JsonMapper.builder().build().writeValueAsString(result));
    } else {
      print(result, out);
    }
    out.flush();
    return result.violations() == 0 ? 0 : UserError.FAILED;
  }

  private void print(CampaignResult result, PrintWriter out) {
    if (seeds == 1) {
      Campaign.describe(first).forEach(line -> out.println("  " + line));
      out.println();
    }
    for (Failure failure : result.failures()) {
      out.printf(
          Locale.ROOT,
          "FAILED  %s, seed %d, at %.0f s, in %d seconds in all%n        %s%n",
          failure.invariant(),
          failure.seed(),
          failure.atSeconds(),
          failure.seconds(),
          failure.what());
      out.printf(
          Locale.ROOT,
          "        repeat: headgate simulate campaign --seeds 1 --first %d%n%n",
          failure.seed());
    }
    if (seeds == 1) {
      Campaign.trace(first).forEach(line -> out.println("  " + line));
    }
    for (CampaignResult.Judged judged : result.judged()) {
      out.printf(
          Locale.ROOT,
          "  %-36s judged in %4d %s, %6d seconds%n",
          judged.invariant(),
          judged.seeds(),
          judged.seeds() == 1 ? "world" : "worlds",
          judged.seconds());
    }
    out.printf(
        Locale.ROOT,
        "%n%s: %d %s, %d %s%n",
        result.violations() == 0 ? "passed" : "failed",
        seeds,
        seeds == 1 ? "world" : "worlds",
        result.violations(),
        result.violations() == 1 ? "violation" : "violations");
  }
}
