package io.headgate.control.rules.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.rules.DirectoryRuleStore;
import io.headgate.core.rule.Rate;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DirectoryRuleRepositoryTest extends RuleRepositoryContract {

  @Override
  RuleRepository open() {
    return new DirectoryRuleRepository(directory);
  }

  @Override
  void done() {}

  /** As a process leaves it that dies between the moment of the change and its last file. */
  @Test
  void aChangeThatIsThereButNotInItsPlaceCounts() throws Exception {
    Path change = Files.createDirectory(directory.resolve(".headgate-change"));
    Files.writeString(
        change.resolve("b.yaml"), "service: b\nrules:\n  - name: all\n    limit: 300/s\n");
    Files.createFile(change.resolve("a.yaml.gone"));

    assertThat(limit(repository.read(), "b")).isEqualTo(300);
    assertThat(repository.read().rule("a", "all")).isNull();
    try (DirectoryRuleStore store = DirectoryRuleStore.open(directory)) {
      assertThat(store.current().rules().services()).containsOnlyKeys("b");
      assertThat(store.current().rules().rule("b", "all").limit()).isEqualTo(Rate.perSecond(300));
    }
  }

  @Test
  void aChangeThatNeverCameToBeIsNone() throws Exception {
    Path unfinished = Files.createDirectory(directory.resolve(".headgate-change.new"));
    Files.writeString(unfinished.resolve("b.yaml"), "service: b\nru");

    assertThat(limit(repository.read(), "b")).isEqualTo(100);
    repository.write(repository.read(), both(200));
    assertThat(limit(repository.read(), "b")).isEqualTo(200);
    assertThat(unfinished).doesNotExist();
  }
}
