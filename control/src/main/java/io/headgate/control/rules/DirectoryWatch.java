package io.headgate.control.rules;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for a change in a directory. It may wake for nothing, and it misses what the operating
 * system does not tell (changes behind links, on network file systems, or while the directory
 * itself is replaced), so its user looks at the directory after each wait anyway.
 */
public final class DirectoryWatch implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(DirectoryWatch.class);

  /** A change is reported when nothing has changed for this long, so that it is whole. */
  private static final Duration QUIET = Duration.ofMillis(75);

  /** But no later than this. */
  private static final Duration LONGEST_DELAY = Duration.ofMillis(300);

  private final Path directory;
  private final @Nullable WatchService service;
  private @Nullable WatchKey key;
  private @Nullable Object watched;
  private boolean warned;

  private DirectoryWatch(Path directory, @Nullable WatchService service) {
    this.directory = directory;
    this.service = service;
  }

  /** Begins to watch; what happens from now on is seen. */
  public static DirectoryWatch open(Path directory) {
    try {
      DirectoryWatch watch =
          new DirectoryWatch(directory, directory.getFileSystem().newWatchService());
      watch.follow();
      return watch;
    } catch (IOException | UnsupportedOperationException e) {
      DirectoryWatch watch = new DirectoryWatch(directory, null);
      watch.warnOnce(e);
      return watch;
    }
  }

  /**
   * Waits until something has changed and has been quiet since, or for {@code longest}.
   *
   * @throws ClosedWatchServiceException if the watch was closed meanwhile
   */
  public void await(Duration longest) throws InterruptedException {
    if (service == null) {
      Thread.sleep(longest.toMillis());
      return;
    }
    if (take(service, longest)) {
      long end = System.nanoTime() + LONGEST_DELAY.toNanos();
      while (System.nanoTime() - end < 0 && take(service, QUIET)) {
        // another change: wait on
      }
    }
    follow();
  }

  private static boolean take(WatchService service, Duration longest) throws InterruptedException {
    WatchKey changed = service.poll(longest.toNanos(), NANOSECONDS);
    if (changed == null) {
      return false;
    }
    changed.pollEvents(); // which files these are does not matter: links hide it
    changed.reset();
    return true;
  }

  /** Watches what is at the path now: the directory may have been replaced since. */
  private void follow() {
    if (service == null) {
      return;
    }
    Object present;
    try {
      present = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      forget(); // not there or not readable; whoever reads it reports that
      return;
    }
    if (key != null && key.isValid() && present != null && present.equals(watched)) {
      return;
    }
    try {
      forget();
      key = directory.register(service, ENTRY_CREATE, ENTRY_DELETE, ENTRY_MODIFY);
      watched = present;
    } catch (IOException e) {
      warnOnce(e);
    }
  }

  private void forget() {
    if (key != null) {
      key.cancel();
      key = null;
    }
  }

  private void warnOnce(Exception e) {
    if (!warned) {
      warned = true;
      log.warn("cannot watch {}, so its changes are seen later: {}", directory, e.toString());
    }
  }

  @Override
  public void close() {
    if (service != null) {
      try {
        service.close();
      } catch (IOException e) {
        log.debug("closing the watch of {}", directory, e);
      }
    }
  }
}
