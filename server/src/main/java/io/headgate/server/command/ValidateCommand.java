package io.headgate.server.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.headgate.control.rules.RuleValidation;
import io.headgate.server.terminal.UserError;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate validate}: checks rule files before a controller sees them. */
@Command(
    name = "validate",
    description = {
      "Check rule files, all of them as if they were one store. Prints each problem as"
          + " file:line:column: message on standard error.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    footer = {
      "",
      "Ends with 0 if all is well and with 1 if there is a problem.",
      "",
      "Examples:",
      "  headgate validate rules/",
      "  headgate validate payments.yaml search.yaml",
      "  headgate validate --json rules/ | jq '.problems[].message'"
    })
public final class ValidateCommand implements Callable<Integer> {

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE|DIR",
      description = "Rule files, and directories of rule files.")
  private List<Path> paths = List.of();

  @Option(
      names = "--json",
      description = "Print {valid, problems, files, services, rules} on standard output instead.")
  private boolean asJson;

  @Override
  public Integer call() throws JsonProcessingException {
    RuleValidation validation = RuleValidation.of(paths);
    PrintWriter out = spec.commandLine().getOut();
    if (asJson) {
      out.println(JSON.writeValueAsString(validation));
    } else {
      PrintWriter err = spec.commandLine().getErr();
      validation.problems().forEach(err::println);
      err.flush();
      out.println(summary(validation));
    }
    out.flush();
    return validation.isValid() ? 0 : UserError.FAILED;
  }

  private static String summary(RuleValidation validation) {
    String read =
        "%s read: %s in %s"
            .formatted(
                count(validation.files(), "file"),
                count(validation.rules(), "valid rule"),
                count(validation.services(), "service"));
    return validation.isValid()
        ? read + ", no problems"
        : read + ", " + count(validation.problems().size(), "problem");
  }

  private static String count(int number, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
  }
}
