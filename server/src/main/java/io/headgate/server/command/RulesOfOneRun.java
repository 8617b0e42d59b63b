package io.headgate.server.command;

import io.headgate.configurator.run.HeldLease;
import io.headgate.configurator.run.RunNotes;
import io.headgate.control.rules.repository.InvalidEditException;
import io.headgate.control.rules.repository.RuleChange;
import io.headgate.control.rules.repository.RuleConflictException;
import io.headgate.control.rules.repository.RuleFiles;
import io.headgate.control.rules.repository.RuleRepository;
import io.headgate.protocol.link.ThreadEventLoop;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rules for one run by hand, which other runs are kept from meanwhile. */
final class RulesOfOneRun implements AutoCloseable {

  /** How long others wait after this process has died. */
  private static final Duration LEASE_TIME = Duration.ofSeconds(30);

  private final RuleRepository repository;
  private final ThreadEventLoop loop;
  private final HeldLease lease;
  private final RuleFiles base;

  private RulesOfOneRun(
      RuleRepository repository, ThreadEventLoop loop, HeldLease lease, RuleFiles base) {
    this.repository = repository;
    this.loop = loop;
    this.lease = lease;
    this.base = base;
  }

  /**
   * Keeps others out, and reads the rules.
   *
   * @param command who has them, for others
   * @throws UserError if others are at it, or the rules have mistakes
   */
  static RulesOfOneRun open(RuleStoreOptions store, Path directory, String command)
      throws IOException {
    Clock clock = Clock.systemUTC();
    RuleRepository repository = store.open(directory);
    ThreadEventLoop loop = ThreadEventLoop.start("lease");
    HeldLease lease = null;
    try {
      // A name that no other process has, on whatever machine it runs.
      String holder =
          "%s, process %d (%s)"
              .formatted(command, ProcessHandle.current().pid(), UUID.randomUUID());
      lease = HeldLease.take(repository, holder, LEASE_TIME, loop, clock, () -> {});
      if (lease == null) {
        throw UserError.failed(
            "%s: '%s' is changing limits at this moment; no limit was changed, run it again"
                .formatted(directory, repository.leaseHolder(clock.instant())));
      }
      RuleFiles base = repository.read();
      LimitsRun.requireValid(base);
      return new RulesOfOneRun(repository, loop, lease, base);
    } catch (IOException | RuntimeException e) {
      close(repository, loop, lease);
      throw e;
    }
  }

  /** The rules as they were found. */
  RuleFiles base() {
    return base;
  }

  /**
   * Writes a change of {@link #base}, which a service will not take for somebody else's.
   *
   * @throws UserError if others came in because this process stood still for too long
   */
  RuleFiles write(RuleChange change)
      throws IOException, InvalidEditException, RuleConflictException {
    if (!lease.renew()) {
      throw UserError.failed("another run has taken over; no limit was changed, run it again");
    }
    RuleFiles after = repository.write(base, change);
    repository.note(RunNotes.revision(after.revision()));
    return after;
  }

  @Override
  public void close() throws IOException {
    close(repository, loop, lease);
  }

  private static void close(
      RuleRepository repository, ThreadEventLoop loop, @Nullable HeldLease lease)
      throws IOException {
    try (repository;
        loop;
        lease) {
      // in the opposite order, and all of them
    }
  }
}
