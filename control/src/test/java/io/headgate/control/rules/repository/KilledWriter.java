package io.headgate.control.rules.repository;

import java.nio.file.Path;
import java.time.Clock;

/** A process that does nothing but change all rules, until it is killed. */
final class KilledWriter {

  private KilledWriter() {}

  static RuleRepository open(Path directory) throws Exception {
    return GitRuleRepository.isAt(directory)
        ? GitRuleRepository.open(directory, Clock.systemUTC())
        : new DirectoryRuleRepository(directory);
  }

  public static void main(String[] arguments) throws Exception {
    RuleRepository repository = open(Path.of(arguments[0]));
    RuleFiles files = repository.read();
    for (int limit = Integer.parseInt(arguments[1]); ; limit++) {
      files = repository.write(files, RuleRepositoryContract.both(limit));
      System.out.println(limit);
    }
  }
}
