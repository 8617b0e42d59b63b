package io.headgate.control.rules.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.rules.DirectoryRuleStore;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What all places of rules that programs may change have in common. */
abstract class RuleRepositoryContract {

  static final String AUTHOR = "headgate <headgate@localhost>";

  @TempDir Path directory;
  RuleRepository repository;

  abstract RuleRepository open() throws Exception;

  /** After somebody has edited files by hand, and is done. */
  abstract void done() throws Exception;

  @BeforeEach
  void twoFiles() throws Exception {
    write("a", 100);
    write("b", 100);
    repository = open();
  }

  void write(String service, int limit) throws IOException {
    Files.writeString(
        directory.resolve(service + ".yaml"),
        "service: %s\nrules:\n  - name: all\n    limit: %d/s\n".formatted(service, limit));
  }

  static RuleChange both(int limit) {
    List<RuleEdit> edits = new ArrayList<>();
    for (String service : List.of("a", "b")) {
      edits.add(new RuleEdit.SetLimit(service, "all", Rate.perSecond(limit)));
    }
    return new RuleChange(edits, AUTHOR, "Both to " + limit + "\n\nBecause.");
  }

  static double limit(RuleFiles files, String service) {
    Rule rule = files.rule(service, "all");
    assertThat(rule).isNotNull();
    return rule.limit().perSecond();
  }

  @Test
  void aChangeIsThereAsAWhole() throws Exception {
    RuleFiles base = repository.read();
    RuleFiles after = repository.write(base, both(200));

    assertThat(limit(after, "a")).isEqualTo(200);
    assertThat(repository.read().revision()).isEqualTo(after.revision());
    assertThat(after.revision()).isNotEqualTo(base.revision());
    try (DirectoryRuleStore store = DirectoryRuleStore.open(directory)) {
      assertThat(store.current().problems()).isEmpty();
      assertThat(store.current().rules().rule("b", "all").limit()).isEqualTo(Rate.perSecond(200));
    }
  }

  @Test
  void whatSomebodyElseHasChangedMeanwhileStays() throws Exception {
    RuleFiles base = repository.read();
    write("a", 150);
    done();

    assertThatThrownBy(() -> repository.write(base, both(200)))
        .isInstanceOf(RuleConflictException.class)
        .hasMessageContaining("changed by somebody else");
    assertThat(limit(repository.read(), "a")).isEqualTo(150);
    assertThat(limit(repository.read(), "b")).isEqualTo(100);
  }

  @Test
  void anEditThatCannotBeMadeTakesAllOthersWithIt() throws Exception {
    RuleFiles base = repository.read();
    List<RuleEdit> edits = new ArrayList<>(both(200).edits());
    edits.add(new RuleEdit.SetLimit("a", "gone", Rate.perSecond(1)));

    assertThatThrownBy(() -> repository.write(base, new RuleChange(edits, AUTHOR, "x")))
        .isInstanceOf(InvalidEditException.class);
    assertThat(repository.read().revision()).isEqualTo(base.revision());
  }

  @Test
  void aChangeThatChangesNothingIsNone() throws Exception {
    RuleFiles base = repository.read();
    assertThat(repository.write(base, both(100)).revision()).isEqualTo(base.revision());
    assertThatThrownBy(() -> repository.revert(AUTHOR)).isInstanceOf(RuleConflictException.class);
  }

  @Test
  void theLastChangeIsTakenBackWithTheFilesThatItMade() throws Exception {
    RuleFiles base = repository.read();
    List<RuleEdit> edits = new ArrayList<>(both(200).edits());
    edits.add(
        new RuleEdit.Add(
            "c",
            new Rule(
                "all",
                NamePattern.any(),
                NamePattern.any(),
                false,
                false,
                Rate.perSecond(1),
                Map.of(),
                Scope.GLOBAL,
                Behavior.ALLOW)));
    repository.write(base, new RuleChange(edits, AUTHOR, "Three"));
    assertThat(directory.resolve("c.yaml")).exists();

    assertThat(repository.revert(AUTHOR).revision()).isEqualTo(base.revision());
    assertThat(repository.read().revision()).isEqualTo(base.revision());
    assertThat(directory.resolve("c.yaml")).doesNotExist();
  }

  @Test
  void aChangeThatWasBuiltOnIsNotTakenBack() throws Exception {
    repository.write(repository.read(), both(200));
    write("a", 150);
    done();
    assertThatThrownBy(() -> repository.revert(AUTHOR)).isInstanceOf(RuleConflictException.class);
    assertThat(limit(repository.read(), "b")).isEqualTo(200);
  }

  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void oneRunAtATimeHasTheLease() throws Exception {
    RuleRepository other = open();
    try (RunLease lease = repository.tryLease("one", NOON, MINUTE)) {
      assertThat(lease).isNotNull();
      assertThat(other.tryLease("two", NOON.plusSeconds(59), MINUTE)).isNull();
      assertThat(other.leaseHolder(NOON.plusSeconds(59))).isEqualTo("one");
    }
    assertThat(other.leaseHolder(NOON)).isEmpty();
    try (RunLease lease = other.tryLease("two", NOON, MINUTE)) {
      assertThat(lease).isNotNull();
    }
  }

  @Test
  void aLeaseThatIsRenewedHoldsAndOneThatRunsOutIsTakenOver() throws Exception {
    RuleRepository other = open();
    RunLease lease = repository.tryLease("one", NOON, MINUTE);
    assertThat(lease.renew(NOON.plusSeconds(40))).isTrue();
    assertThat(other.tryLease("two", NOON.plusSeconds(99), MINUTE)).isNull();

    RunLease taken = other.tryLease("two", NOON.plusSeconds(100), MINUTE);

    assertThat(taken).isNotNull();
    assertThat(lease.renew(NOON.plusSeconds(101))).isFalse();
    lease.close();
    assertThat(other.leaseHolder(NOON.plusSeconds(101)))
        .as("not let go by its loser")
        .isEqualTo("two");
  }

  @Test
  void notesOutliveALeaseAndChangeNoRules() throws Exception {
    RuleFiles before = repository.read();
    repository.note(Map.of("a", "1", "b", "2"));
    repository.note(Map.of("a", "3: and more"));
    repository.tryLease("one", NOON, MINUTE).close();

    assertThat(open().notes()).isEqualTo(Map.of("a", "3: and more", "b", "2"));
    assertThat(repository.read().revision()).isEqualTo(before.revision());
  }
}
