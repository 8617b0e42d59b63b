package io.headgate.control.rules;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A change of several rule files that is there as a whole or not at all, whatever breaks off.
 *
 * <p>The new files are written to a hidden directory beside the old ones. The moment in which that
 * gets its name is the moment of the change: from then on, readers take the files in it before
 * those of the same name outside. They are then moved out one by one, and the directory goes.
 * Whoever writes next does what a process that died left to do.
 *
 * @param modified when the directory of the rules was changed last: a change that is over by now
 *     leaves no other trace
 * @param files the new files, by name; null for one that is deleted
 */
public record PendingChange(FileTime modified, SortedMap<String, @Nullable Path> files) {

  private static final String DIRECTORY = ".headgate-change";
  private static final String UNFINISHED = ".headgate-change.new";
  private static final String GONE = ".gone";

  /** What is pending in a directory now. */
  static PendingChange of(Path directory) throws IOException {
    FileTime modified = Files.getLastModifiedTime(directory);
    SortedMap<String, @Nullable Path> files = new TreeMap<>();
    for (Path path : list(directory.resolve(DIRECTORY))) {
      String name = String.valueOf(path.getFileName());
      if (name.endsWith(GONE)) {
        files.put(name.substring(0, name.length() - GONE.length()), null);
      } else {
        files.put(name, path);
      }
    }
    return new PendingChange(modified, files);
  }

  /** The names of the rule files, in order, after the change. */
  Collection<String> names(Path directory) throws IOException {
    TreeSet<String> names = new TreeSet<>();
    for (Path path : RuleDirectory.rulePaths(directory)) {
      names.add(String.valueOf(path.getFileName()));
    }
    files.forEach(
        (name, path) -> {
          if (path == null) {
            names.remove(name);
          } else {
            names.add(name);
          }
        });
    return names;
  }

  /** Where a file is to be read. */
  Path locate(Path directory, String name) {
    Path pending = files.get(name);
    return pending != null && Files.exists(pending) ? pending : directory.resolve(name);
  }

  /**
   * The rule files of a directory as they are now.
   *
   * @return their bytes, by name
   */
  public static SortedMap<String, byte[]> read(Path directory) throws IOException {
    while (true) {
      PendingChange before = of(directory);
      SortedMap<String, byte[]> contents = new TreeMap<>();
      try {
        for (String name : before.names(directory)) {
          contents.put(name, Files.readAllBytes(before.locate(directory, name)));
        }
        if (of(directory).equals(before)) {
          return contents;
        }
      } catch (NoSuchFileException e) { // moved meanwhile
        if (of(directory).equals(before)) {
          throw e;
        }
      }
    }
  }

  /**
   * Makes a change. One process at a time may do so.
   *
   * @param changed the new files, by name; null for one that is deleted
   */
  public static void make(Path directory, Map<String, byte @Nullable []> changed)
      throws IOException {
    finish(directory);
    Path unfinished = directory.resolve(UNFINISHED);
    delete(unfinished);
    Files.createDirectory(unfinished);
    for (Map.Entry<String, byte @Nullable []> file : changed.entrySet()) {
      byte[] content = file.getValue();
      if (content == null) {
        write(unfinished.resolve(file.getKey() + GONE), new byte[0]);
      } else {
        write(unfinished.resolve(file.getKey()), content);
      }
    }
    force(unfinished);
    Files.move(unfinished, directory.resolve(DIRECTORY), StandardCopyOption.ATOMIC_MOVE);
    force(directory);
    finish(directory);
  }

  /** Ends a change that a process which died has made. */
  public static void finish(Path directory) throws IOException {
    Path pending = directory.resolve(DIRECTORY);
    for (Path path : list(pending)) {
      String name = String.valueOf(path.getFileName());
      if (name.endsWith(GONE)) {
        Files.deleteIfExists(directory.resolve(name.substring(0, name.length() - GONE.length())));
        Files.delete(path);
      } else {
        Files.move(
            path,
            directory.resolve(name),
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
    force(directory);
    Files.deleteIfExists(pending);
  }

  private static List<Path> list(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      List<Path> paths = new ArrayList<>();
      entries.forEach(paths::add);
      paths.sort(null);
      return paths;
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private static void delete(Path directory) throws IOException {
    for (Path path : list(directory)) {
      Files.delete(path);
    }
    Files.deleteIfExists(directory);
  }

  private static void write(Path path, byte[] content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  private static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
