package io.headgate.server.command;

import io.headgate.configurator.plan.ChangeSet;
import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.configurator.plan.LimitDecision;
import io.headgate.configurator.promotion.Candidates;
import io.headgate.control.rules.repository.InvalidEditException;
import io.headgate.control.rules.repository.RuleChange;
import io.headgate.control.rules.repository.RuleConflictException;
import io.headgate.control.rules.repository.RuleEdit;
import io.headgate.control.rules.repository.RuleFiles;
import io.headgate.control.rules.repository.RuleRepository;
import io.headgate.core.rule.RuleSet;
import io.headgate.server.terminal.UserError;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate limits apply}: computes limits and writes them to the rules. */
@Command(
    name = "apply",
    description = {
      "Compute limits and write them to the rule files: as candidates, which are judged in shadow",
      "until headgate limits promote enforces them, or with --enforce as limits. All are written,",
      "or none; a controller that watches the rules has them in force a moment later.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  headgate limits plan --config configurator.yaml --rules rules/",
      "  headgate limits apply --config configurator.yaml --rules rules/",
      "  headgate limits apply --config configurator.yaml --rules rules/ --enforce",
      "  headgate limits revert --rules rules/"
    })
public final class LimitsApplyCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Mixin private LimitsOptions options = new LimitsOptions();
  @Mixin private RuleStoreOptions store = new RuleStoreOptions();

  @Option(
      names = "--enforce",
      description =
          "Write limits, and take away the candidates of the rules that they are for. Limits of"
              + " single regions and zones have no candidates, and are written only so.")
  private boolean enforce;

  @Override
  public Integer call() throws InterruptedException {
    try (RuleRepository repository = store.open(options.rulesDirectory());
        Closeable lock = repository.tryLock()) {
      if (lock == null) {
        throw UserError.failed(options.rulesDirectory() + ": another run is changing limits");
      }
      RuleFiles base = repository.read();
      LimitsRun.requireValid(base);
      ConfiguratorConfig config = options.config();
      ChangeSet changes =
          LimitsRun.changes(
              config, options, RuleSet.of(1, base.services()), spec.commandLine().getErr());
      RuleFiles after = repository.write(base, change(changes, base, config));
      PrintWriter out = spec.commandLine().getOut();
      LimitsView.lines(changes).forEach(out::println);
      out.println(
          after.revision().equals(base.revision())
              ? "the rules say so already; nothing was written"
              : "written to " + options.rulesDirectory());
      out.flush();
      return 0;
    } catch (IOException | InvalidEditException e) {
      throw UserError.failed(e.getMessage() + "; no limit was changed");
    } catch (RuleConflictException e) {
      throw UserError.failed(e.getMessage() + "; no limit was changed, run it again");
    }
  }

  private RuleChange change(ChangeSet changes, RuleFiles base, ConfiguratorConfig config) {
    List<RuleEdit> edits = enforce ? limits(changes) : Candidates.edits(changes, base, config);
    StringBuilder reasons = new StringBuilder();
    for (LimitDecision each : changes.changes()) {
      if (enforce || each.place().isEmpty()) {
        reasons.append(LimitsView.line(each)).append('\n');
      }
    }
    String summary = enforce ? "Limits by headgate: " : "Candidates for limits by headgate: ";
    return new RuleChange(
        edits, store.author(), summary + LimitsView.summary(changes) + "\n\n" + reasons);
  }

  private static List<RuleEdit> limits(ChangeSet changes) {
    List<RuleEdit> edits = new ArrayList<>();
    for (LimitDecision each : changes.changes()) {
      if (each.place().isEmpty()) {
        edits.add(new RuleEdit.SetLimit(each.service(), each.rule(), each.after()));
        edits.add(new RuleEdit.SetCandidate(each.service(), each.rule(), null));
      } else {
        edits.add(new RuleEdit.SetLimitAt(each.service(), each.rule(), each.place(), each.after()));
      }
    }
    return edits;
  }
}
