package io.headgate.server.command;

import io.headgate.control.rules.repository.DirectoryRuleRepository;
import io.headgate.control.rules.repository.GitRuleRepository;
import io.headgate.control.rules.repository.RuleRepository;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How commands that change rules write them. */
final class RuleStoreOptions {

  @Option(
      names = "--store",
      paramLabel = "KIND",
      description =
          "directory: only the last change can be taken back. git: a commit for each change. Default:"
              + " git if the rules are in a working tree.")
  private @Nullable Kind kind;

  @Option(
      names = "--author",
      paramLabel = "NAME <MAIL>",
      defaultValue = "headgate <headgate@localhost>",
      description = "Who is named as the author of a commit. Default: ${DEFAULT-VALUE}.")
  private String author = "";

  enum Kind {
    DIRECTORY,
    GIT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  String author() {
    return author;
  }

  RuleRepository open(Path rules) {
    boolean git = kind == null ? GitRuleRepository.isAt(rules) : kind == Kind.GIT;
    try {
      return git
          ? GitRuleRepository.open(rules, Clock.systemUTC())
          : new DirectoryRuleRepository(rules);
    } catch (IOException e) {
      throw UserError.failed(String.valueOf(e.getMessage()));
    }
  }
}
