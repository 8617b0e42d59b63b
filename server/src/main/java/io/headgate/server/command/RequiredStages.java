package io.headgate.server.command;

import io.headgate.control.rules.DirectoryRuleStore;
import io.headgate.control.rules.RuleSnapshot;
import io.headgate.control.status.FileProblem;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import io.headgate.envoy.bootstrap.ProcedureNaming;
import io.headgate.envoy.stage.Stage;
import io.headgate.server.terminal.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The stages that the rules of a service need in an Envoy that names procedures in one way. */
record RequiredStages(String service, ProcedureNaming procedures) {

  private static final String SPIFFE = "spiffe://";

  /**
   * The stages that the rules in a directory need.
   *
   * @throws UserError if there are mistakes in it, or rules that no call can meet
   */
  Set<Stage> of(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw UserError.usage("--rules: '" + directory + "' (expected: a directory that exists)");
    }
    RuleSnapshot snapshot;
    try (DirectoryRuleStore store = DirectoryRuleStore.open(directory)) {
      snapshot = store.current();
    }
    if (!snapshot.problems().isEmpty()) {
      throw UserError.failed(
          "--rules: there are mistakes in "
              + directory
              + "\n"
              + snapshot.problems().stream()
                  .map(FileProblem::toString)
                  .collect(Collectors.joining("\n")));
    }
    @Nullable ServiceRules ofService = snapshot.rules().services().get(service);
    if (ofService == null) {
      throw UserError.usage(
          "--rules: no service '"
              + service
              + "' in "
              + directory
              + " (found: "
              + String.join(", ", new TreeSet<>(snapshot.rules().services().keySet()))
              + ")");
    }
    ofService.rules().forEach(this::requireThatItCanMatch);
    return Stage.of(ofService);
  }

  private void requireThatItCanMatch(Rule rule) {
    if (rule.caller().toString().startsWith(SPIFFE)) {
      throw UserError.usage(
          "--rules: no caller is named like '"
              + rule.caller()
              + "' of rule '"
              + rule.name()
              + "' (expected: its SPIFFE id without "
              + SPIFFE
              + ")");
    }
    if (!rule.procedure().isAny() && !procedures.canName(rule.procedure().toString())) {
      throw UserError.usage(
          "--procedures: by "
              + procedures.text()
              + " no procedure is named like '"
              + rule.procedure()
              + "' of rule '"
              + rule.name()
              + "' (expected: --procedures "
              + procedures.other().text()
              + ", or such rules for a service of their own)");
    }
  }
}
