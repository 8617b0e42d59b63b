package io.headgate.configurator.run;

import io.headgate.configurator.plan.ChangeSet;
import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.configurator.plan.LimitDecision;
import io.headgate.configurator.plan.LimitPlanner;
import io.headgate.configurator.promotion.Promotion;
import io.headgate.configurator.promotion.Promotions;
import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.source.SourceException;
import io.headgate.control.rules.repository.InvalidEditException;
import io.headgate.control.rules.repository.RuleChange;
import io.headgate.control.rules.repository.RuleConflictException;
import io.headgate.control.rules.repository.RuleFiles;
import io.headgate.control.rules.repository.RuleRepository;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.ServiceRules;
import io.headgate.core.time.EventLoop;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One look at whether there is something to do, and doing it. It blocks, and is used from one
 * thread at a time; {@link RunProgress} tells others how far it is.
 *
 * <p>What runs have to know of one another is in the notes of the repository, so that a runner that
 * takes over, or is started again, goes on where another one was. What a run will have written is
 * noted before it is: whoever dies in between leaves rules of another revision than the notes say,
 * and so a reason to compute them again, but never rules that are taken for somebody else's.
 */
final class Round {

  private static final Logger log = LoggerFactory.getLogger(Round.class);

  private final LoopSettings settings;
  private final RuleRepository repository;
  private final Configs configs;
  private final EventLoop loop;
  private final InstantSource clock;
  private final RunProgress progress;
  private final Computing computing = new Computing();
  private final BackOff backOff;
  private final NextMoment nextOfAll = new NextMoment();
  private RunNotes notes = RunNotes.of(Map.of());
  private @Nullable RuleFiles seen; // the rules of the revision in the notes, if they were met

  Round(
      LoopSettings settings,
      RuleRepository repository,
      Configs configs,
      EventLoop loop,
      InstantSource clock,
      RunProgress progress) {
    this.settings = settings;
    this.repository = repository;
    this.configs = configs;
    this.loop = loop;
    this.clock = clock;
    this.progress = progress;
    backOff = new BackOff(settings.firstWait(), settings.longestWait());
  }

  /** Breaks off what is computed. May be called from any thread. */
  void breakOff(RunResult why) {
    computing.breakOff(why);
  }

  /** Looks, and does what there is to do. */
  void look() {
    if (computing.isStopped() || !backOff.isOver(clock.instant(), "")) {
      return;
    }
    String revision = "";
    try {
      configs.current();
      progress.configured(configs.problems());
      RuleFiles files = repository.read();
      revision = files.revision();
      if (backOff.isOver(clock.instant(), revision) && due(files) != null) {
        takeTurn();
      }
    } catch (IOException e) {
      failed("the rules cannot be read or written: " + e.getMessage(), revision);
    } catch (SourceException | InvalidEditException | MistakesException e) {
      failed(String.valueOf(e.getMessage()), revision);
    } catch (RuleConflictException e) {
      failed(e.getMessage() + "; they are computed anew", revision);
    } catch (InterruptedException e) {
      log.info("broken off: {}", computing.brokenOff());
    } catch (RuntimeException e) {
      log.error("a run failed for a mistake of this program", e);
      failed(e.toString(), revision);
    } finally {
      progress.idle(notes, nextOfAll.after(configs.current().triggers().schedule(), notes.all()));
    }
  }

  /** Rules that are not fit to have limits computed. */
  private static final class MistakesException extends Exception {
    private static final long serialVersionUID = 1L;

    MistakesException(String message) {
      super(message);
    }
  }

  private void failed(String message, String revision) {
    Duration wait = backOff.failed(clock.instant(), revision);
    log.warn("no limit was changed: {}; next try in {} s", message, wait.toSeconds());
    progress.failed(backOff.failures(), message);
  }

  /** What there is to do with these rules, as far as the notes are known. */
  private @Nullable RunCause due(RuleFiles files) {
    Instant now = clock.instant();
    ConfiguratorConfig config = configs.current();
    if (!nextOfAll.after(config.triggers().schedule(), notes.all()).isAfter(now)) {
      return RunCause.SCHEDULE;
    }
    if (notes.all() == null || !files.revision().equals(notes.revision())) {
      return RunCause.RULES;
    }
    seen = files;
    if (isOver(notes.trials(), config.triggers().trialsEvery(), now)) {
      return RunCause.TRIALS;
    }
    return isOver(notes.checked(), config.triggers().drift().every(), now) ? RunCause.DRIFT : null;
  }

  /** Whether something is due again; it never is if it is done every 0 s. */
  private static boolean isOver(@Nullable Instant last, Duration every, Instant now) {
    return !every.isZero() && (last == null || !last.plus(every).isAfter(now));
  }

  private void takeTurn()
      throws IOException,
          SourceException,
          InterruptedException,
          InvalidEditException,
          RuleConflictException,
          MistakesException {
    computing.resume();
    try (HeldLease lease =
        HeldLease.take(
            repository,
            settings.holder(),
            settings.leaseTime(),
            loop,
            clock,
            () -> breakOff(RunResult.LOST))) {
      if (lease == null) {
        progress.waiting(repository.leaseHolder(clock.instant()));
        return;
      }
      progress.waiting("");
      notes = RunNotes.of(repository.notes());
      RuleFiles files = repository.read();
      RunCause cause = due(files);
      if (cause == null) {
        return; // somebody else has done it
      }
      if (!files.problems().isEmpty()) {
        throw new MistakesException("the rules have mistakes: " + files.problems().get(0));
      }
      turn(cause, files, lease);
      backOff.succeeded();
      progress.succeeded();
    }
  }

  private void turn(RunCause cause, RuleFiles files, HeldLease lease)
      throws IOException,
          SourceException,
          InterruptedException,
          InvalidEditException,
          RuleConflictException {
    RuleFiles before = seen;
    if (cause == RunCause.TRIALS) {
      trials(files, lease);
    } else if (cause == RunCause.DRIFT) {
      drift(files, lease);
    } else if (cause == RunCause.RULES
        && notes.all() != null
        && before != null
        && before.revision().equals(notes.revision())) {
      rulesChanged(before, files, lease);
    } else {
      Instant now = clock.instant();
      run(cause, files, limit -> true, notes.withAll(now), now, lease);
    }
  }

  private void rulesChanged(RuleFiles before, RuleFiles files, HeldLease lease)
      throws IOException,
          SourceException,
          InterruptedException,
          InvalidEditException,
          RuleConflictException {
    Map<String, Rule> old = rules(before);
    Predicate<LimitKey> changed =
        limit -> !limit.rule().equals(old.get(limit.service() + "/" + limit.rule().name()));
    ConfiguratorConfig config = configs.current();
    RuleSet rules = RuleSet.of(1, files.services());
    if (LimitPlanner.limits(rules).stream()
        .noneMatch(limit -> changed.test(limit) && config.choice(limit) != null)) {
      note(notes.withRevision(files.revision())); // a comment, a candidate, a rule left alone
      seen = files;
      return;
    }
    run(RunCause.RULES, files, changed, notes, clock.instant(), lease);
  }

  private static Map<String, Rule> rules(RuleFiles files) {
    Map<String, Rule> rules = new HashMap<>();
    for (ServiceRules service : files.services()) {
      service.rules().forEach(rule -> rules.put(service.service() + "/" + rule.name(), rule));
    }
    return rules;
  }

  private void drift(RuleFiles files, HeldLease lease)
      throws IOException,
          SourceException,
          InterruptedException,
          InvalidEditException,
          RuleConflictException {
    ConfiguratorConfig config = configs.current();
    Instant now = clock.instant();
    RuleSet rules = RuleSet.of(1, files.services());
    SortedMap<String, String> found =
        computing.run(() -> new DriftScan(config, settings.threads()).drifted(rules, now));
    log.info(
        "looked for drift in {} s: demand has gone away from {} limits",
        Duration.between(now, clock.instant()).toMillis() / 1000.0,
        found.size());
    Set<String> news = new TreeSet<>(found.keySet());
    news.removeAll(notes.drifted());
    Set<String> known = new TreeSet<>(found.keySet());
    known.removeAll(news);
    Duration coolDown = config.triggers().drift().coolDown();
    boolean cool = notes.last() == null || !notes.last().plus(coolDown).isAfter(now);
    if (news.isEmpty() || !cool) {
      note(notes.withDrift(now, known)); // news stay news until they are acted on
      return;
    }
    news.forEach(limit -> log.info("{}: {}", limit, found.get(limit)));
    RunNotes after = notes.withDrift(now, found.keySet()).withLast(now);
    run(RunCause.DRIFT, files, limit -> news.contains(limit.toString()), after, now, lease);
  }

  /** One step of each limit on trial for which it is time. */
  private void trials(RuleFiles files, HeldLease lease)
      throws IOException,
          SourceException,
          InterruptedException,
          InvalidEditException,
          RuleConflictException {
    Instant now = clock.instant();
    Promotion promotion = new Promotion(configs.current(), settings.threads());
    Promotions decided = computing.run(() -> promotion.decide(files, now, done -> {}));
    RunNotes after = notes.withTrials(now);
    if (decided.isChange()) {
      decided.steps().forEach(step -> log.info("{}", step.line()));
      write(files, decided.change(settings.author()), after, lease);
    } else {
      note(after);
    }
    progress.looked(decided);
  }

  private void note(RunNotes changed) throws IOException {
    repository.note(changed.toMap());
    notes = changed;
  }

  /**
   * Computes limits and writes them.
   *
   * @param about which
   * @param after what is to be noted with the revision that is written
   */
  private void run(
      RunCause cause,
      RuleFiles base,
      Predicate<LimitKey> about,
      RunNotes after,
      Instant now,
      HeldLease lease)
      throws IOException,
          SourceException,
          InterruptedException,
          InvalidEditException,
          RuleConflictException {
    progress.begins(cause, now);
    RunResult result = RunResult.FAILED;
    ChangeSet changes = new ChangeSet(now, "", List.of(), List.of());
    String message = "";
    try {
      ConfiguratorConfig config = configs.current();
      LimitPlanner planner = new LimitPlanner(config, settings.threads());
      RuleSet rules = RuleSet.of(1, base.services());
      changes = computing.run(() -> planner.plan(rules, about, now, progress::done));
      changes.changes().forEach(change -> log.info("{}", change.line()));
      RuleChange change =
          LimitEdits.of(changes, base, config, config.triggers().enforce(), settings.author());
      result = write(base, change, after, lease);
    } catch (InterruptedException e) {
      RunResult why = computing.brokenOff();
      result = why == null ? RunResult.STOPPED : why;
      throw e;
    } catch (RuleConflictException e) {
      result = RunResult.CONFLICT;
      message = String.valueOf(e.getMessage());
      throw e;
    } catch (IOException | SourceException | InvalidEditException | RuntimeException e) {
      message = String.valueOf(e.getMessage());
      throw e;
    } finally {
      progress.ends(result, report(changes), message);
    }
  }

  private RunResult write(RuleFiles base, RuleChange change, RunNotes after, HeldLease lease)
      throws IOException, InterruptedException, InvalidEditException, RuleConflictException {
    String revision = base.edited(change.edits()).revision();
    if (!lease.renew()) {
      breakOff(RunResult.LOST);
      throw new InterruptedException("somebody else has taken over");
    }
    RunNotes before = notes;
    note(after.withRevision(revision));
    try {
      RuleFiles written = repository.write(base, change);
      seen = written;
      return written.revision().equals(base.revision()) ? RunResult.UNCHANGED : RunResult.WRITTEN;
    } catch (RuleConflictException e) {
      note(before); // what was due is due still
      throw e;
    }
  }

  private static RunProgress.Counts report(ChangeSet changes) {
    int kept = 0;
    int masked = 0;
    int approvals = 0;
    for (LimitDecision decision : changes.decisions()) {
      kept += decision.basis() == LimitDecision.Basis.NONE ? 1 : 0;
      masked += decision.basis() == LimitDecision.Basis.MASKED ? 1 : 0;
      approvals += decision.needsApproval() ? 1 : 0;
    }
    return new RunProgress.Counts(
        changes.decisions().size(), changes.changes().size(), kept, masked, approvals);
  }
}
