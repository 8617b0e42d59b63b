package io.headgate.server.demo;

import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of one run: rules and logs, in a temporary directory of their own.
 *
 * @param directory that directory
 * @param rules the directory of rule files; it may be another one, of the person's own
 */
record DemoFiles(Path directory, Path rules) {

  /**
   * Makes the directories.
   *
   * @param rules where the rule files are, or will be; null: in the temporary directory
   * @throws IOException if they cannot be made
   */
  static DemoFiles create(@Nullable Path rules) throws IOException {
    Path directory = Files.createTempDirectory("headgate-demo-");
    Path rulesDirectory = rules == null ? directory.resolve("rules") : rules.toAbsolutePath();
    if (Files.exists(rulesDirectory) && !Files.isDirectory(rulesDirectory)) {
      Files.delete(directory);
      throw UserError.usage("--rules: '" + rules + "' is a file (expected: a directory)");
    }
    Files.createDirectories(rulesDirectory);
    DemoFiles files = new DemoFiles(directory, rulesDirectory);
    Files.createDirectories(files.logs());
    return files;
  }

  /** The directory of logs. */
  Path logs() {
    return directory.resolve("logs");
  }

  /** Whether somebody has put rule files there already. */
  static boolean hasRules(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> file.toString().matches(".*\\.ya?ml"));
    }
  }

  /** Sends what libraries write on standard error to a log, so that it does not tear the table. */
  void redirectStandardError() throws IOException {
    OutputStream log =
        Files.newOutputStream(
            logs().resolve("demo.log"), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
  }

  /** Deletes the temporary directory with all that is in it. */
  void delete() throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(directory)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.delete(path);
    }
  }
}
