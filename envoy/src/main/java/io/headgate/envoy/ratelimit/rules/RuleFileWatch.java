package io.headgate.envoy.ratelimit.rules;

import io.headgate.control.rules.DirectoryWatch;
import io.headgate.control.status.FileProblem;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of a directory, which is watched. A change is in force a moment after it was written,
 * if all files are without mistakes; until they are, the rules stay as they were.
 */
public final class RuleFileWatch implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(RuleFileWatch.class);

  /** How often to look without having been told of a change. */
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

  private final Path directory;
  private final RuleFiles files;
  private final DirectoryWatch watch;
  private final Thread thread;
  private final AtomicLong loads = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private volatile RateLimitRules rules = RateLimitRules.NONE;
  private volatile List<FileProblem> problems = List.of();
  private volatile boolean closed;
  private @Nullable List<RuleFiles.Source> lastRead;

  private RuleFileWatch(Path directory, RuleFiles files) {
    this.directory = directory;
    this.files = files;
    watch = DirectoryWatch.open(directory);
    thread = new Thread(this::run, "headgate-ratelimit-rules");
    thread.setDaemon(true);
  }

  /** Begins to watch a directory, whose files have been read when this returns. */
  public static RuleFileWatch open(Path directory, RuleFiles files) {
    RuleFileWatch opened = new RuleFileWatch(directory, files);
    opened.load();
    opened.thread.start();
    return opened;
  }

  /** The rules in force. */
  public RateLimitRules rules() {
    return rules;
  }

  /** What is wrong with the files as they are now, so that the rules in force are older. */
  public List<FileProblem> problems() {
    return problems;
  }

  /** How often new rules came into force. */
  public long loads() {
    return loads.get();
  }

  /** How often new files had mistakes. */
  public long failures() {
    return failures.get();
  }

  private void run() {
    while (!closed) {
      try {
        watch.await(POLL_INTERVAL);
        load();
      } catch (InterruptedException | ClosedWatchServiceException e) {
        return; // closed
      } catch (RuntimeException e) {
        log.error("reading the rules in {} failed; they stay as they are", directory, e);
      }
    }
  }

  private void load() {
    try {
      List<RuleFiles.Source> sources = RuleFiles.sources(directory);
      if (!isSame(sources, lastRead)) {
        lastRead = sources;
        take(files.compile(sources));
      }
    } catch (IOException e) {
      lastRead = null;
      FileProblem problem = RuleFiles.unreadable(directory, e);
      if (!problems.equals(List.of(problem))) {
        take(new RuleFiles.Loaded(RateLimitRules.NONE, List.of(problem), 0));
      }
    }
  }

  private void take(RuleFiles.Loaded loaded) {
    problems = loaded.problems();
    if (loaded.isValid()) {
      rules = loaded.rules();
      loads.incrementAndGet();
      log.info(
          "rules are in force (files: {}, domains: {}, limits: {})",
          loaded.files(),
          rules.domains(),
          rules.limits());
    } else {
      failures.incrementAndGet();
      loaded.problems().forEach(problem -> log.warn("{}", problem));
      log.warn("the rules stay as they were");
    }
  }

  private static boolean isSame(
      List<RuleFiles.Source> now, @Nullable List<RuleFiles.Source> before) {
    if (before == null || now.size() != before.size()) {
      return false;
    }
    for (int i = 0; i < now.size(); i++) {
      if (!now.get(i).isSame(before.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    closed = true;
    watch.close();
    thread.interrupt();
  }
}
