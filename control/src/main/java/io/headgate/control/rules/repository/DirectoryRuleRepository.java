package io.headgate.control.rules.repository;

import io.headgate.control.rules.PendingChange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rules in a directory without history, but for the last change, which can be taken back. Locks and
 * the files before the last change are in hidden files beside the rules.
 */
public final class DirectoryRuleRepository implements RuleRepository {

  private static final String WRITE_LOCK = ".headgate-write.lock";
  private static final String RUNS = ".headgate-run";
  private static final String BEFORE = ".headgate-before";
  private static final String AFTER_REVISION = "after";
  private static final String ADDED = ".added";

  private final Path directory;
  private final RunFile runs;

  /** The rules in a directory. */
  public DirectoryRuleRepository(Path directory) {
    this.directory = directory;
    runs = new RunFile(directory.resolve(RUNS));
  }

  @Override
  public RuleFiles read() throws IOException {
    return new RuleFiles(PendingChange.read(directory));
  }

  @Override
  public RuleFiles write(RuleFiles base, RuleChange change)
      throws IOException, RuleConflictException, InvalidEditException {
    RuleFiles after = base.edited(change.edits());
    try (WriteLock lock = WriteLock.take(directory.resolve(WRITE_LOCK))) {
      requireUnchanged(base);
      if (!after.revision().equals(base.revision())) {
        Map<String, byte @Nullable []> changed = new HashMap<>(after.changedSince(base));
        keep(base, changed, after.revision());
        PendingChange.make(directory, changed);
      }
    }
    return after;
  }

  private void requireUnchanged(RuleFiles base) throws IOException, RuleConflictException {
    String now = read().revision();
    if (!now.equals(base.revision())) {
      throw new RuleConflictException(
          directory + ": the rules were changed by somebody else meanwhile");
    }
  }

  /** Keeps what the files were like before a change. */
  private void keep(RuleFiles before, Map<String, byte @Nullable []> changed, String afterRevision)
      throws IOException {
    Path kept = directory.resolve(BEFORE);
    Path fresh = directory.resolve(BEFORE + ".new");
    delete(fresh);
    Files.createDirectory(fresh);
    for (String name : changed.keySet()) {
      byte[] old = before.contents().get(name);
      if (old == null) {
        Files.createFile(fresh.resolve(name + ADDED));
      } else {
        Files.write(fresh.resolve(name), old);
      }
    }
    Files.writeString(fresh.resolve(AFTER_REVISION), afterRevision);
    delete(kept);
    Files.move(fresh, kept, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public RuleFiles revert(String author) throws IOException, RuleConflictException {
    try (WriteLock lock = WriteLock.take(directory.resolve(WRITE_LOCK))) {
      Path kept = directory.resolve(BEFORE);
      RuleFiles now = read();
      if (!Files.exists(kept)) {
        throw new RuleConflictException(directory + ": there is no change to take back");
      }
      String after = Files.readString(kept.resolve(AFTER_REVISION), StandardCharsets.UTF_8);
      if (!after.equals(now.revision())) {
        throw new RuleConflictException(
            directory + ": the rules were changed by somebody else after the last change");
      }
      Map<String, byte @Nullable []> changed = new TreeMap<>();
      try (DirectoryStream<Path> files = Files.newDirectoryStream(kept)) {
        for (Path path : files) {
          String name = String.valueOf(path.getFileName());
          if (name.endsWith(ADDED)) {
            changed.put(name.substring(0, name.length() - ADDED.length()), null);
          } else if (!name.equals(AFTER_REVISION)) {
            changed.put(name, Files.readAllBytes(path));
          }
        }
      }
      PendingChange.make(directory, changed);
      delete(kept);
    }
    return read();
  }

  private static void delete(Path kept) throws IOException {
    if (Files.exists(kept)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(kept)) {
        for (Path path : files) {
          Files.delete(path);
        }
      }
      Files.delete(kept);
    }
  }

  @Override
  public @Nullable RunLease tryLease(String holder, Instant now, Duration timeToLive)
      throws IOException {
    return runs.tryLease(holder, now, timeToLive);
  }

  @Override
  public String leaseHolder(Instant now) throws IOException {
    return runs.holder(now);
  }

  @Override
  public Map<String, String> notes() throws IOException {
    return runs.notes();
  }

  @Override
  public void note(Map<String, String> notes) throws IOException {
    runs.note(notes);
  }
}
