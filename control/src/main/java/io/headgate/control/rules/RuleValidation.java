package io.headgate.control.rules;

import io.headgate.control.status.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What rule files would come to, without putting them in force.
 *
 * @param problems all that is wrong, with the files named as they were given
 * @param files how many files were read
 * @param services how many services the valid files have
 * @param rules how many rules these have
 */
public record RuleValidation(List<FileProblem> problems, int files, int services, int rules) {

  public RuleValidation {
    problems = List.copyOf(problems);
  }

  /** Whether nothing is wrong. */
  public boolean isValid() {
    return problems.isEmpty();
  }

  /**
   * Reads files, and directories as {@link DirectoryRuleStore} does, as if all of them were one
   * store.
   */
  public static RuleValidation of(Collection<Path> filesAndDirectories) {
    List<ParsedFile> files = new ArrayList<>();
    for (Path path : filesAndDirectories) {
      try {
        if (Files.isDirectory(path)) {
          for (Path file : RuleDirectory.rulePaths(path)) {
            if (!Files.isDirectory(file)) {
              files.add(read(file));
            }
          }
        } else {
          files.add(read(path));
        }
      } catch (IOException e) {
        files.add(RuleDirectory.unreadable(path.toString(), e));
      }
    }
    LoadedRules loaded = LoadedRules.NONE.next(files, 0);
    var services = loaded.snapshot().rules().services().values();
    return new RuleValidation(
        loaded.snapshot().problems(),
        files.size(),
        services.size(),
        services.stream().mapToInt(service -> service.rules().size()).sum());
  }

  private static ParsedFile read(Path file) {
    try {
      return RuleDirectory.read(file, file.toString());
    } catch (IOException e) {
      return RuleDirectory.unreadable(file.toString(), e);
    }
  }
}
