package io.headgate.server.command;

import io.headgate.envoy.ratelimit.rules.LimitCheck;
import io.headgate.envoy.ratelimit.rules.RuleFiles;
import io.headgate.server.terminal.UserError;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate ratelimit validate}: checks rule files before the service sees them. */
@Command(
    name = "validate",
    description = {
      "Check rule files of the rate limit service. Prints each problem as file:line:column: message"
          + " on standard error.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    footer = {
      "",
      "Ends with 0 if all is well and with 1 if there is a problem.",
      "",
      "Example:",
      "  headgate ratelimit validate config/"
    })
public final class RateLimitValidateCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(paramLabel = "FILE|DIR", description = "A rule file, or a directory of them.")
  private Path path;

  @Option(
      names = "--merge-domains",
      description = "Allow several files of one domain; as MERGE_DOMAIN_CONFIG does.")
  private boolean mergesDomains;

  @Override
  public Integer call() {
    RuleFiles.Loaded loaded = new RuleFiles(LimitCheck.NONE, mergesDomains, Set.of()).read(path);
    PrintWriter err = spec.commandLine().getErr();
    loaded.problems().forEach(err::println);
    err.flush();
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        loaded.isValid()
            ? "%d files read: %d limits in %d domains, no problems"
                .formatted(loaded.files(), loaded.rules().limits(), loaded.rules().domains())
            : "%d files read, %d problems".formatted(loaded.files(), loaded.problems().size()));
    out.flush();
    return loaded.isValid() ? 0 : UserError.FAILED;
  }
}
