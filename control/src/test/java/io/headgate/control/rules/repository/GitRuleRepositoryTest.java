package io.headgate.control.rules.repository;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Judged by the git program. */
class GitRuleRepositoryTest extends RuleRepositoryContract {

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @Override
  RuleRepository open() throws Exception {
    if (!Files.exists(directory.resolve(".git"))) {
      git("init", "-q", "-b", "main");
      done();
    }
    return GitRuleRepository.open(directory, () -> NOW);
  }

  @Override
  void done() throws Exception {
    git("add", "-A");
    git("commit", "-q", "-m", "By hand");
  }

  private String git(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("git", "-c", "user.name=somebody", "-c", "user.email=somebody@localhost"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  void aChangeIsOneCommitWithItsReasons() throws Exception {
    repository.write(repository.read(), both(200));

    assertThat(git("log", "-1", "--format=%an <%ae> %cI%n%B"))
        .startsWith("headgate <headgate@localhost> 2026-01-02T03:04:05")
        .contains("Both to 200\n\nBecause.\n\nHeadgate-Rules: ");
    assertThat(git("show", "--stat", "--format=", "HEAD")).contains("a.yaml", "b.yaml", "2 files");
    assertThat(git("status", "--porcelain")).isEmpty();
    git("fsck", "--strict");
  }

  @Test
  void filesThatGetLongerOrShorterAreNotLeftAsChanged() throws Exception {
    repository.write(repository.read(), both(20_000));
    assertThat(git("status", "--porcelain")).isEmpty();
    repository.write(repository.read(), both(7));
    assertThat(git("status", "--porcelain")).isEmpty();
  }

  @Test
  void aChangeIsTakenBackByAnotherCommit() throws Exception {
    repository.write(repository.read(), both(200));
    repository.revert(AUTHOR);

    assertThat(git("log", "-1", "--format=%s%n%b"))
        .startsWith("Revert \"Both to 200\"\nThis reverts commit ");
    assertThat(git("diff", "HEAD~2", "HEAD")).isEmpty();
    assertThat(git("status", "--porcelain")).isEmpty();
  }

  @Test
  void whatIsNotCommittedIsNotTouched() throws Exception {
    write("a", 150);
    assertThatThrownBy(() -> repository.read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a.yaml: is not as in the last commit");
  }

  /** As a process leaves it that dies after the branch has moved. */
  @Test
  void aCommitWhoseFilesAreNotThereYetCounts() throws Exception {
    repository.write(repository.read(), both(200));
    String head = git("rev-parse", "HEAD").strip();
    git("read-tree", "HEAD~1");
    git("checkout-index", "-a", "-f");
    Files.writeString(directory.resolve(".git/headgate-undone"), head);

    RuleFiles now = repository.read();
    assertThat(limit(now, "a")).isEqualTo(200);
    repository.write(now, both(300));
    assertThat(limit(repository.read(), "b")).isEqualTo(300);
    assertThat(git("status", "--porcelain")).isEmpty();
    assertThat(git("log", "--format=%s")).startsWith("Both to 300\nBoth to 200\n");
  }

  /** As a process leaves it that dies while it moves the branch, or brings the index up to date. */
  @Test
  void locksOfAProcessThatDiedAreTakenAway() throws Exception {
    repository.write(repository.read(), both(200));
    Files.writeString(directory.resolve(".git/headgate-undone"), git("rev-parse", "HEAD").strip());
    Files.createFile(directory.resolve(".git/refs/heads/main.lock"));
    Files.createFile(directory.resolve(".git/index.lock"));

    repository.write(repository.read(), both(300));
    assertThat(git("log", "--format=%s")).startsWith("Both to 300\nBoth to 200\n");
    assertThat(git("status", "--porcelain")).isEmpty();
  }

  @Test
  void locksOfOthersStay() throws Exception {
    Files.createFile(directory.resolve(".git/refs/heads/main.lock"));
    assertThatThrownBy(() -> repository.write(repository.read(), both(300)))
        .isInstanceOf(RuleConflictException.class)
        .hasMessageContaining("LOCK_FAILURE");
    assertThat(limit(repository.read(), "a")).isEqualTo(100);
  }

  @Test
  void aDirectoryOfATreeLeavesTheRestAlone() throws Exception {
    Path rules = Files.createDirectory(directory.resolve("rules"));
    Files.move(directory.resolve("a.yaml"), rules.resolve("a.yaml"));
    Files.move(directory.resolve("b.yaml"), rules.resolve("b.yaml"));
    Files.writeString(directory.resolve("other.yaml"), "x: 1\n");
    done();
    // Of another length: git does not see an edit of the same length in the second of its index.
    Files.writeString(directory.resolve("other.yaml"), "x: 22\n");
    RuleRepository inside = GitRuleRepository.open(rules, () -> NOW);

    inside.write(inside.read(), both(200));

    assertThat(git("status", "--porcelain")).isEqualTo(" M other.yaml\n");
    assertThat(git("show", "HEAD:rules/a.yaml")).contains("limit: 200/s");
  }

  @Test
  void outsideOfGitThatIsSaid(@org.junit.jupiter.api.io.TempDir Path elsewhere) {
    assertThatThrownBy(() -> GitRuleRepository.open(elsewhere, () -> NOW))
        .hasMessage(elsewhere + ": is in no working tree of Git");
  }
}
