package io.headgate.control.rules;

import io.headgate.control.status.FileProblem;
import io.headgate.control.yaml.YamlDocuments;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rule files of one directory: those that end in {@code .yaml} or {@code .yml} and are not
 * hidden. Sub-directories are not entered. Links are followed, so that the link swap by which
 * Kubernetes changes a mounted ConfigMap is seen.
 *
 * <p>Files that have not changed since the last time are not read again.
 */
final class RuleDirectory {

  /**
   * A file system's clock may be this coarse. A file that was changed shorter ago than this before
   * it was read can change again without a trace in its attributes, so it is read once more.
   */
  private static final long CLOCK_STEP_MILLIS = 2000;

  private static final int READS_AGAIN = 3;

  private final Path directory;
  private Map<String, Read> lastRead = Map.of();

  RuleDirectory(Path directory) {
    this.directory = directory;
  }

  /** The files as they were at one moment, and when the newest of them was changed. */
  record Listing(List<ParsedFile> files, long modifiedMillis) {}

  private record Stamp(long size, FileTime modified, @Nullable Object key) {
    static Stamp of(BasicFileAttributes attributes) {
      return new Stamp(attributes.size(), attributes.lastModifiedTime(), attributes.fileKey());
    }
  }

  private record Read(Stamp stamp, boolean settled, ParsedFile file) {}

  /**
   * Reads what has changed.
   *
   * @throws IOException if the directory cannot be read; a file that cannot be read is a problem of
   *     that file
   */
  Listing read() throws IOException {
    // A change of several files that begins or ends meanwhile would be read in part.
    PendingChange before = PendingChange.of(directory);
    Listing listing = read(before);
    for (int i = 0; i < READS_AGAIN; i++) {
      PendingChange after = PendingChange.of(directory);
      if (after.equals(before)) {
        break;
      }
      before = after;
      listing = read(before);
    }
    return listing;
  }

  private Listing read(PendingChange pending) throws IOException {
    Map<String, Read> read = new HashMap<>();
    long modifiedMillis = Files.getLastModifiedTime(directory).toMillis();
    List<ParsedFile> files = new ArrayList<>();
    for (String name : pending.names(directory)) {
      Path path = pending.locate(directory, name);
      try {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (attributes.isDirectory()) {
          continue;
        }
        Read now = read(path, name, Stamp.of(attributes));
        read.put(name, now);
        files.add(now.file());
        modifiedMillis = Math.max(modifiedMillis, now.stamp().modified().toMillis());
      } catch (IOException e) {
        files.add(unreadable(name, e));
      }
    }
    lastRead = read;
    return new Listing(files, modifiedMillis);
  }

  /** The paths of rule files and of what looks like one, in the order of their names. */
  static List<Path> rulePaths(Path directory) throws IOException {
    List<Path> paths = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path path : entries) {
        String name = String.valueOf(path.getFileName());
        if (!name.startsWith(".") && (name.endsWith(".yaml") || name.endsWith(".yml"))) {
          paths.add(path);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    Collections.sort(paths);
    return paths;
  }

  /**
   * Reads one file now.
   *
   * @throws IOException if it cannot be read
   */
  static ParsedFile read(Path path, String name) throws IOException {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new IOException("not a regular file"); // opening a pipe would wait for its writer
    }
    try (InputStream in = Files.newInputStream(path)) {
      return RuleCodec.read(name, in.readNBytes(YamlDocuments.MAX_FILE_BYTES + 1));
    }
  }

  /** A file that cannot be read. */
  static ParsedFile unreadable(String name, IOException e) {
    return new ParsedFile(name, List.of(), List.of(new FileProblem(name, 1, 1, explain(e))));
  }

  /** What to tell people about a file or directory that cannot be read. */
  static String explain(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "cannot be read: there is no such file or directory";
    }
    if (e instanceof NotDirectoryException) {
      return "cannot be read: not a directory";
    }
    if (e instanceof AccessDeniedException) {
      return "cannot be read: permission denied";
    }
    return "cannot be read: " + e.getMessage();
  }

  private Read read(Path path, String name, Stamp stamp) throws IOException {
    Read before = lastRead.get(name);
    if (before != null && before.settled() && before.stamp().equals(stamp)) {
      return before;
    }
    boolean settled = System.currentTimeMillis() - stamp.modified().toMillis() > CLOCK_STEP_MILLIS;
    return new Read(stamp, settled, read(path, name));
  }
}
