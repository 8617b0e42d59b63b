package io.headgate.server.command;

import io.headgate.configurator.plan.ChangeSet;
import io.headgate.configurator.run.HeldLease;
import io.headgate.configurator.run.LimitEdits;
import io.headgate.configurator.run.RunNotes;
import io.headgate.control.rules.repository.InvalidEditException;
import io.headgate.control.rules.repository.RuleConflictException;
import io.headgate.control.rules.repository.RuleFiles;
import io.headgate.control.rules.repository.RuleRepository;
import io.headgate.core.rule.RuleSet;
import io.headgate.protocol.link.ThreadEventLoop;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate limits apply}: computes limits and writes them to the rules. */
@Command(
    name = "apply",
    description = {
      "Compute limits and write them to the rule files: as candidates, which are judged in shadow,",
      "or with --enforce as limits. All are written, or none; a controller that watches the rules",
      "has them in force a moment later.",
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

  /** How long others wait after this process has died. */
  private static final Duration LEASE_TIME = Duration.ofSeconds(30);

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
    RuleRepository repository = store.open(options.rulesDirectory());
    try (ThreadEventLoop loop = ThreadEventLoop.start("lease");
        HeldLease lease =
            HeldLease.take(repository, holder(), LEASE_TIME, loop, Clock.systemUTC(), () -> {})) {
      if (lease == null) {
        throw UserError.failed(
            "%s: '%s' is changing limits at this moment; no limit was changed, run it again"
                .formatted(
                    options.rulesDirectory(), repository.leaseHolder(Clock.systemUTC().instant())));
      }
      RuleFiles base = repository.read();
      if (!base.problems().isEmpty()) {
        throw UserError.failed("the rules have mistakes: " + base.problems().get(0));
      }
      ChangeSet changes =
          LimitsRun.changes(options, RuleSet.of(1, base.services()), spec.commandLine().getErr());
      if (!lease.renew()) {
        throw UserError.failed("another run has taken over; no limit was changed, run it again");
      }
      RuleFiles after = repository.write(base, LimitEdits.of(changes, enforce, store.author()));
      repository.note(RunNotes.revision(after.revision()));
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

  /** A name that no other process has, on whatever machine it runs. */
  private static String holder() {
    return "headgate limits apply, process %d (%s)"
        .formatted(ProcessHandle.current().pid(), UUID.randomUUID());
  }
}
