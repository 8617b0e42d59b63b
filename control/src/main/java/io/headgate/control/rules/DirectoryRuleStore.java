package io.headgate.control.rules;

import io.headgate.control.status.FileProblem;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rules in a directory of YAML files, which is watched: a change is in force a moment after it was
 * written.
 *
 * <p>A file with a mistake changes nothing: its services keep the rules that they had, and the
 * mistake is among the snapshot's problems until it is mended. If the directory cannot be read, all
 * rules stay. A file that is deleted takes its rules with it, and an empty directory means no
 * rules.
 */
public final class DirectoryRuleStore implements RuleStore {

  private static final Logger log = LoggerFactory.getLogger(DirectoryRuleStore.class);

  /** How often to look without having been told of a change. */
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

  private final Path directory;
  private final RuleDirectory files;
  private final DirectoryWatch watch;
  private final Duration pollInterval;
  private final Thread thread;
  private final List<Consumer<RuleSnapshot>> listeners = new CopyOnWriteArrayList<>();
  private final Object publishing = new Object();
  private volatile LoadedRules loaded = LoadedRules.NONE;
  private volatile boolean closed;

  private DirectoryRuleStore(Path directory, Duration pollInterval) {
    this.directory = directory;
    this.pollInterval = pollInterval;
    this.files = new RuleDirectory(directory);
    this.watch = DirectoryWatch.open(directory);
    this.thread = new Thread(this::run, "headgate-rules");
    thread.setDaemon(true);
  }

  /** A store of the files in {@code directory}, which have been read when this returns. */
  public static DirectoryRuleStore open(Path directory) {
    return open(directory, POLL_INTERVAL);
  }

  /**
   * The same, with another longest time until a change is seen of which the operating system does
   * not tell.
   */
  static DirectoryRuleStore open(Path directory, Duration pollInterval) {
    DirectoryRuleStore store = new DirectoryRuleStore(directory, pollInterval);
    store.load();
    store.thread.start();
    return store;
  }

  @Override
  public RuleSnapshot current() {
    return loaded.snapshot();
  }

  @Override
  public void subscribe(Consumer<RuleSnapshot> listener) {
    synchronized (publishing) {
      listeners.add(listener);
      listener.accept(current());
    }
  }

  @Override
  public void close() {
    synchronized (publishing) {
      closed = true;
    }
    watch.close();
    thread.interrupt();
  }

  private void run() {
    while (!closed) {
      try {
        watch.await(pollInterval);
        load();
      } catch (InterruptedException | ClosedWatchServiceException e) {
        return; // closed
      } catch (RuntimeException e) {
        log.error("reading the rules in {} failed; they stay as they are", directory, e);
      }
    }
  }

  private void load() {
    LoadedRules next;
    try {
      RuleDirectory.Listing listing = files.read();
      next = loaded.next(listing.files(), listing.modifiedMillis());
    } catch (IOException e) {
      next =
          loaded.unreadable(new FileProblem(directory.toString(), 1, 1, RuleDirectory.explain(e)));
    }
    publish(next);
  }

  private void publish(LoadedRules next) {
    synchronized (publishing) {
      if (closed) {
        return;
      }
      RuleSnapshot before = loaded.snapshot();
      loaded = next;
      if (next.snapshot().equals(before)) {
        return;
      }
      report(before, next.snapshot());
      for (Consumer<RuleSnapshot> listener : listeners) {
        try {
          listener.accept(next.snapshot());
        } catch (RuntimeException e) {
          log.error(
              "a listener failed on rules of version {}", next.snapshot().rules().version(), e);
        }
      }
    }
  }

  private void report(RuleSnapshot before, RuleSnapshot now) {
    if (now.rules().version() != before.rules().version()) {
      log.info(
          "rules of version {} are in force (digest {}, services: {})",
          now.rules().version(),
          now.rules().digest(),
          now.rules().services().size());
    }
    Set<FileProblem> known = new HashSet<>(before.problems());
    for (FileProblem problem : now.problems()) {
      if (!known.contains(problem)) {
        log.warn("{}", problem);
      }
    }
    if (now.problems().isEmpty() && !before.problems().isEmpty()) {
      log.info("all rule files are valid again");
    }
  }
}
