package io.headgate.control.rules.repository;

import io.headgate.control.rules.PendingChange;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheBuilder;
import org.eclipse.jgit.dircache.DirCacheEditor;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.jspecify.annotations.Nullable;

/**
 * Rules in a directory of a Git working tree. Each change is one commit on the branch that is
 * checked out, and is taken back by another. The moment of a change is that of the branch; what a
 * process that died has left undone in the working tree is done by whoever comes next.
 */
public final class GitRuleRepository implements RuleRepository {

  private static final String WRITE_LOCK = "headgate-write.lock";
  private static final String RUNS = "headgate-run";

  /** Names the commit whose files are not in the working tree yet. */
  private static final String UNDONE = "headgate-undone";

  /** A lock that came to be this shortly after the mark of a change is one for this change. */
  private static final Duration OWN_LOCK = Duration.ofSeconds(10);

  /** Tells commits of this class from others. */
  private static final String FOOTER = "Headgate-Rules: ";

  private static final Pattern AUTHOR = Pattern.compile("(.+?) *<([^<>]*)>");

  private final Path directory;
  private final Repository repository;
  private final InstantSource clock;
  private final String prefix;
  private final RunFile runs;

  private GitRuleRepository(Path directory, Repository repository, InstantSource clock)
      throws IOException {
    this.directory = directory.toRealPath();
    this.repository = repository;
    this.clock = clock;
    Path tree = repository.getWorkTree().toPath().toRealPath();
    String inside = tree.relativize(this.directory).toString().replace(File.separatorChar, '/');
    runs = new RunFile(gitFile(RUNS));
    prefix = inside.isEmpty() ? "" : inside + "/";
  }

  /**
   * The rules in a directory of a working tree.
   *
   * @param clock gives commits their times
   * @throws IOException if the directory is in no working tree of Git
   */
  public static GitRuleRepository open(Path directory, InstantSource clock) throws IOException {
    FileRepositoryBuilder builder =
        new FileRepositoryBuilder().findGitDir(directory.toFile().getAbsoluteFile());
    if (builder.getGitDir() == null && builder.getWorkTree() == null) {
      throw new IOException(directory + ": is in no working tree of Git");
    }
    return new GitRuleRepository(directory, builder.setMustExist(true).build(), clock);
  }

  /** Whether a directory is in a working tree of Git. */
  public static boolean isAt(Path directory) {
    return new FileRepositoryBuilder().findGitDir(directory.toFile().getAbsoluteFile()).getGitDir()
        != null;
  }

  @Override
  public RuleFiles read() throws IOException {
    RuleFiles files = new RuleFiles(PendingChange.read(directory));
    RevCommit head = head();
    if (undone(head)) {
      return new RuleFiles(committed(head)); // a moment later they are there
    }
    requireClean(files, head);
    return files;
  }

  /** What nobody has committed is nobody's to commit. */
  private void requireClean(RuleFiles files, @Nullable RevCommit head) throws IOException {
    Map<String, byte[]> committed = committed(head);
    for (String name : files.contents().keySet()) {
      if (!Arrays.equals(files.contents().get(name), committed.get(name))) {
        throw new IOException(
            directory.resolve(name)
                + ": is not as in the last commit (expected: nothing to commit)");
      }
      committed.remove(name);
    }
    for (String name : committed.keySet()) {
      throw new IOException(directory.resolve(name) + ": is missing (expected: nothing to commit)");
    }
  }

  private @Nullable RevCommit head() throws IOException {
    ObjectId id = repository.resolve(Constants.HEAD);
    if (id == null) {
      return null;
    }
    try (RevWalk walk = new RevWalk(repository)) {
      RevCommit commit = walk.parseCommit(id);
      walk.parseBody(commit);
      return commit;
    }
  }

  /** The rule files of a commit. */
  private Map<String, byte[]> committed(@Nullable RevCommit commit) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    if (commit == null) {
      return files;
    }
    try (ObjectReader reader = repository.newObjectReader();
        TreeWalk walk = new TreeWalk(reader)) {
      walk.addTree(commit.getTree());
      walk.setRecursive(true);
      while (walk.next()) {
        String path = walk.getPathString();
        if (isRuleFile(path)) {
          files.put(path.substring(prefix.length()), reader.open(walk.getObjectId(0)).getBytes());
        }
      }
    }
    return files;
  }

  private boolean isRuleFile(String path) {
    if (!path.startsWith(prefix)) {
      return false;
    }
    String name = path.substring(prefix.length());
    return !name.contains("/")
        && !name.startsWith(".")
        && (name.endsWith(".yaml") || name.endsWith(".yml"));
  }

  @Override
  public RuleFiles write(RuleFiles base, RuleChange change)
      throws IOException, RuleConflictException, InvalidEditException {
    RuleFiles after = base.edited(change.edits());
    try (WriteLock lock = WriteLock.take(gitFile(WRITE_LOCK))) {
      recover();
      if (!read().revision().equals(base.revision())) {
        throw new RuleConflictException(
            directory + ": the rules were changed by somebody else meanwhile");
      }
      if (!after.revision().equals(base.revision())) {
        commit(new TreeMap<>(after.changedSince(base)), change.author(), change.message(), after);
      }
    }
    return after;
  }

  @Override
  public RuleFiles revert(String author) throws IOException, RuleConflictException {
    try (WriteLock lock = WriteLock.take(gitFile(WRITE_LOCK))) {
      recover();
      RuleFiles now = read();
      RevCommit head = head();
      if (head == null
          || head.getParentCount() != 1
          || !head.getFullMessage().contains("\n" + FOOTER)) {
        throw new RuleConflictException(
            directory + ": the last commit is not a change of limits (expected: one by headgate)");
      }
      RuleFiles before;
      try (RevWalk walk = new RevWalk(repository)) {
        before = new RuleFiles(committed(walk.parseCommit(head.getParent(0))));
      }
      Map<String, byte @Nullable []> changed = new TreeMap<>(before.changedSince(now));
      for (String name : now.contents().keySet()) {
        if (!before.contents().containsKey(name)) {
          changed.put(name, null);
        }
      }
      String message =
          "Revert \"" + head.getShortMessage() + "\"\n\nThis reverts commit " + head.name() + ".";
      commit(changed, author, message, before);
      return before;
    }
  }

  private void commit(
      Map<String, byte @Nullable []> changed, String author, String message, RuleFiles after)
      throws IOException, RuleConflictException {
    RevCommit head = head();
    ObjectId id;
    try (ObjectInserter inserter = repository.newObjectInserter()) {
      CommitBuilder commit = new CommitBuilder();
      commit.setTreeId(tree(head, changed, inserter));
      if (head != null) {
        commit.setParentId(head);
      }
      PersonIdent person = person(author);
      commit.setAuthor(person);
      commit.setCommitter(person);
      commit.setMessage(message.strip() + "\n\n" + FOOTER + after.revision() + "\n");
      id = inserter.insert(commit);
      inserter.flush();
    }
    Files.writeString(gitFile(UNDONE), id.name());
    RefUpdate update = repository.updateRef(Constants.HEAD);
    update.setExpectedOldObjectId(head == null ? ObjectId.zeroId() : head);
    update.setNewObjectId(id);
    update.setRefLogMessage("commit: " + message.lines().findFirst().orElse(""), false);
    RefUpdate.Result result = update.update();
    if (result != RefUpdate.Result.FAST_FORWARD && result != RefUpdate.Result.NEW) {
      Files.deleteIfExists(gitFile(UNDONE));
      throw new RuleConflictException(
          directory + ": the branch was changed by somebody else meanwhile (" + result + ")");
    }
    checkOut(changed);
  }

  private ObjectId tree(
      @Nullable RevCommit head, Map<String, byte @Nullable []> changed, ObjectInserter inserter)
      throws IOException {
    DirCache tree = DirCache.newInCore();
    if (head != null) {
      DirCacheBuilder builder = tree.builder();
      try (ObjectReader reader = repository.newObjectReader()) {
        builder.addTree(new byte[0], DirCacheEntry.STAGE_0, reader, head.getTree());
      }
      builder.finish();
    }
    DirCacheEditor editor = tree.editor();
    for (Map.Entry<String, byte @Nullable []> file : changed.entrySet()) {
      byte[] content = file.getValue();
      String path = prefix + file.getKey();
      if (content == null) {
        editor.add(new DirCacheEditor.DeletePath(path));
      } else {
        editor.add(new SetBlob(path, inserter.insert(Constants.OBJ_BLOB, content), content.length));
      }
    }
    editor.finish();
    return tree.writeTree(inserter);
  }

  /** Brings the working tree and the index to a commit that is the branch's head already. */
  private void checkOut(Map<String, byte @Nullable []> changed) throws IOException {
    PendingChange.make(directory, changed);
    DirCache index = repository.lockDirCache();
    try {
      DirCacheEditor editor = index.editor();
      try (ObjectInserter inserter = repository.newObjectInserter()) {
        for (Map.Entry<String, byte @Nullable []> file : changed.entrySet()) {
          byte[] content = file.getValue();
          String path = prefix + file.getKey();
          editor.add(
              content == null
                  ? new DirCacheEditor.DeletePath(path)
                  : new SetBlob(path, inserter.idFor(Constants.OBJ_BLOB, content), content.length));
        }
      }
      editor.commit();
    } finally {
      index.unlock();
    }
    Files.deleteIfExists(gitFile(UNDONE));
  }

  /** Whether a commit is the head whose files are not in the working tree yet. */
  private boolean undone(@Nullable RevCommit head) throws IOException {
    Path undone = gitFile(UNDONE);
    return head != null && Files.exists(undone) && Files.readString(undone).equals(head.name());
  }

  /** Does what a process that died has left to do. */
  private void recover() throws IOException {
    Path undone = gitFile(UNDONE);
    if (!Files.exists(undone)) {
      return;
    }
    Instant left = Files.getLastModifiedTime(undone).toInstant();
    Ref branch = repository.exactRef(Constants.HEAD);
    removeLock(Constants.HEAD, left);
    if (branch != null) {
      removeLock(branch.getTarget().getName(), left);
    }
    removeLock("index", left);
    RevCommit head = head();
    if (head != null && undone(head)) {
      RuleFiles now = new RuleFiles(PendingChange.read(directory));
      RuleFiles committed = new RuleFiles(committed(head));
      Map<String, byte @Nullable []> changed = new TreeMap<>(committed.contents());
      for (String name : now.contents().keySet()) {
        changed.putIfAbsent(name, null);
      }
      checkOut(changed);
    }
    Files.deleteIfExists(undone);
  }

  /** Takes away what a process locked in the moment in which it died; others' locks stay. */
  private void removeLock(String name, Instant died) throws IOException {
    Path lock = gitFile(name + ".lock");
    if (Files.exists(lock)) {
      Duration after = Duration.between(died, Files.getLastModifiedTime(lock).toInstant());
      if (!after.isNegative() && after.compareTo(OWN_LOCK) < 0) {
        Files.deleteIfExists(lock);
      }
    }
  }

  private PersonIdent person(String author) {
    Matcher matcher = AUTHOR.matcher(author);
    Instant now = clock.instant();
    return matcher.matches()
        ? new PersonIdent(matcher.group(1), matcher.group(2), now, ZoneOffset.UTC)
        : new PersonIdent(author, "", now, ZoneOffset.UTC);
  }

  private Path gitFile(String name) {
    return repository.getDirectory().toPath().resolve(name);
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

  @Override
  public void close() {
    repository.close();
  }

  private static final class SetBlob extends DirCacheEditor.PathEdit {
    private final ObjectId blob;
    private final int length;

    SetBlob(String path, ObjectId blob, int length) {
      super(path);
      this.blob = blob;
      this.length = length;
    }

    @Override
    public void apply(DirCacheEntry entry) {
      if (entry.getRawMode() == 0) {
        entry.setFileMode(FileMode.REGULAR_FILE);
      }
      entry.setObjectId(blob);
      entry.setLength(length); // git takes a file of another length for changed, unread
    }
  }
}
