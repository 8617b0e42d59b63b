package io.headgate.configurator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.rules.repository.GitRuleRepository;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.revwalk.RevCommit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runners over a Git working tree. */
class GitRunTest {

  @TempDir private Path directory;

  @Test
  void aRunIsOneCommitWithItsReasonsAndTheNextOneCommitsNothing() throws Exception {
    Site site = new Site(directory).rules("checkout", 1000, "search", 1200);
    try (Git git = Git.init().setDirectory(directory.toFile()).call()) {
      git.add().addFilepattern(".").call();
      git.commit().setMessage("By hand").setAuthor("a", "a@localhost").setSign(false).call();
      site.runner("one", GitRuleRepository.open(directory, site.time));
      site.runner("two", GitRuleRepository.open(directory, site.time));
      site.time.pass(Duration.ofMinutes(30));
      site.time.forget();
      site.time.until("2026-03-03T03:00:00Z");
      site.runner("three", GitRuleRepository.open(directory, site.time));
      site.time.pass(Duration.ofMinutes(1));

      List<RevCommit> commits = new ArrayList<>();
      git.log().call().forEach(commits::add);
      assertThat(commits).hasSize(2);
      assertThat(commits.get(0).getFullMessage())
          .startsWith(
              "Limits by headgate: 1 of 2 limits change, 0 would go farther with approval\n")
          .contains("payments/checkout: 1000/s -> 1250/s, peak 1,000/s x 1.25");
      assertThat(commits.get(0).getAuthorIdent().getWhenAsInstant()).isEqualTo(Site.START);
      assertThat(git.status().call().isClean()).isTrue();
    }
    assertThat(directory.resolve(".git/headgate-run")).exists();
    assertThat(directory.toFile().list()).as("no file of runs among the rules").hasSize(2);
    assertThat(site.demand.reads()).containsExactly("checkout", "search", "checkout", "search");
  }

  @Test
  void whatNobodyHasCommittedIsWaitedFor() throws Exception {
    Site site = new Site(directory).rules("checkout", 1000);
    try (Git git = Git.init().setDirectory(directory.toFile()).call()) {
      ConfiguratorLoop runner = site.runner("one", GitRuleRepository.open(directory, site.time));
      site.time.pass(Duration.ofMinutes(5));
      assertThat(site.status(runner).failure())
          .contains("payments.yaml: is not as in the last commit");
      assertThat(site.demand.reads()).isEmpty();

      git.add().addFilepattern(".").call();
      git.commit().setMessage("By hand").setAuthor("a", "a@localhost").setSign(false).call();
      site.time.pass(Duration.ofMinutes(11));

      assertThat(site.limit("checkout")).isEqualTo("1250/s");
      assertThat(site.status(runner).failure()).isEmpty();
    }
  }
}
