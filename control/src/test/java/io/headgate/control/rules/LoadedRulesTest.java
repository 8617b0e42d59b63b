package io.headgate.control.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.status.FileProblem;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.ServiceRules;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LoadedRulesTest {

  private static final ParsedFile BROKEN_A = file("a.yaml", "service: payments\nrule: []\n");

  private static final String PROBLEM_OF_BROKEN_A =
      "a.yaml:2:1: unknown key 'rule' (expected: service or rules; did you mean 'rules'?)";

  @Test
  void bringsTheServicesOfAllFilesTogether() {
    LoadedRules loaded =
        load(
            LoadedRules.NONE, service("a.yaml", "payments", 10), service("b.yaml", "shipping", 20));

    assertThat(limits(loaded)).isEqualTo(Map.of("payments", 10.0, "shipping", 20.0));
    assertThat(problems(loaded)).isEmpty();
  }

  @Test
  void keepsTheLastGoodRulesOfAFileThatBreaks() {
    LoadedRules good = load(LoadedRules.NONE, service("a.yaml", "payments", 10));

    LoadedRules broken = load(good, BROKEN_A, service("b.yaml", "shipping", 20));
    LoadedRules still = load(broken, BROKEN_A, service("b.yaml", "shipping", 30));
    LoadedRules mended = load(still, service("a.yaml", "payments", 5));

    assertThat(limits(broken)).isEqualTo(Map.of("payments", 10.0, "shipping", 20.0));
    assertThat(problems(broken)).containsExactly(PROBLEM_OF_BROKEN_A);
    assertThat(limits(still)).isEqualTo(Map.of("payments", 10.0, "shipping", 30.0));
    assertThat(limits(mended)).isEqualTo(Map.of("payments", 5.0));
    assertThat(problems(mended)).isEmpty();
  }

  @Test
  void startsWithoutTheServicesOfABrokenFile() {
    LoadedRules loaded = load(LoadedRules.NONE, BROKEN_A, service("b.yaml", "shipping", 20));

    assertThat(limits(loaded)).isEqualTo(Map.of("shipping", 20.0));
    assertThat(problems(loaded)).containsExactly(PROBLEM_OF_BROKEN_A);
  }

  @Test
  void dropsTheRulesOfAFileThatIsGoneEvenIfItWasBroken() {
    LoadedRules good =
        load(
            LoadedRules.NONE, service("a.yaml", "payments", 10), service("b.yaml", "shipping", 20));

    assertThat(limits(load(good, service("b.yaml", "shipping", 20))))
        .isEqualTo(Map.of("shipping", 20.0));
    assertThat(limits(load(load(good, BROKEN_A)))).isEmpty();
  }

  @Test
  void followsAFileWhoseServiceChangesItsName() {
    LoadedRules before = load(LoadedRules.NONE, service("a.yaml", "payments", 10));

    assertThat(limits(load(before, service("a.yaml", "billing", 10))))
        .isEqualTo(Map.of("billing", 10.0));
  }

  @Test
  void followsAServiceThatMovesToAnotherFile() {
    LoadedRules before = load(LoadedRules.NONE, service("a.yaml", "payments", 10));

    LoadedRules after = load(before, service("b.yaml", "payments", 20));

    assertThat(limits(after)).isEqualTo(Map.of("payments", 20.0));
    assertThat(problems(after)).isEmpty();
  }

  @Test
  void givesAServiceInTwoNewFilesToTheFirstByName() {
    LoadedRules loaded =
        load(
            LoadedRules.NONE, service("b.yaml", "payments", 20), service("a.yaml", "payments", 10));

    assertThat(limits(loaded)).isEqualTo(Map.of("payments", 10.0));
    assertThat(problems(loaded))
        .containsExactly(
            "b.yaml:1:10: duplicate service 'payments' (first in a.yaml:1:10, which stays in"
                + " force)");
  }

  @Test
  void leavesAServiceToTheFileThatHasItWhateverTheNames() {
    LoadedRules before = load(LoadedRules.NONE, service("b.yaml", "payments", 20));

    LoadedRules both =
        load(before, service("a.yaml", "payments", 10), service("b.yaml", "payments", 30));
    LoadedRules handedOver = load(both, service("a.yaml", "payments", 10));

    assertThat(limits(both)).isEqualTo(Map.of("payments", 30.0));
    assertThat(problems(both))
        .containsExactly(
            "a.yaml:1:10: duplicate service 'payments' (first in b.yaml:1:10, which stays in"
                + " force)");
    assertThat(limits(handedOver)).isEqualTo(Map.of("payments", 10.0));
    assertThat(problems(handedOver)).isEmpty();
  }

  @Test
  void takesTheOtherServicesOfAFileThatNamesATakenOne() {
    LoadedRules before = load(LoadedRules.NONE, service("a.yaml", "payments", 10));
    ParsedFile second =
        file("b.yaml", "service: shipping\nrules: []\n---\nservice: payments\nrules: []\n");

    LoadedRules loaded = load(before, service("a.yaml", "payments", 10), second);

    assertThat(loaded.snapshot().rules().services().keySet())
        .containsExactlyInAnyOrder("payments", "shipping");
    assertThat(limits(loaded)).isEqualTo(Map.of("payments", 10.0));
    assertThat(problems(loaded))
        .containsExactly(
            "b.yaml:4:10: duplicate service 'payments' (first in a.yaml:1:10, which stays in"
                + " force)");
  }

  @Test
  void leavesTheServiceOfABrokenFileToItWhenAnotherFileNamesIt() {
    LoadedRules good = load(LoadedRules.NONE, service("a.yaml", "payments", 10));

    LoadedRules loaded = load(good, BROKEN_A, service("b.yaml", "payments", 20));

    assertThat(limits(loaded)).isEqualTo(Map.of("payments", 10.0));
    assertThat(problems(loaded))
        .containsExactly(
            PROBLEM_OF_BROKEN_A,
            "b.yaml:1:10: duplicate service 'payments' (first in a.yaml:1:10, which stays in"
                + " force)");
  }

  @Test
  void keepsEverythingWhileTheFilesCannotBeRead() {
    LoadedRules good = load(LoadedRules.NONE, service("a.yaml", "payments", 10));

    LoadedRules unreadable = good.unreadable(new FileProblem("rules", 1, 1, "cannot be read"));

    assertThat(unreadable.snapshot().rules()).isSameAs(good.snapshot().rules());
    assertThat(problems(unreadable)).containsExactly("rules:1:1: cannot be read");
    assertThat(limits(load(unreadable))).isEmpty();
  }

  @Test
  void takesTheTimeOfTheNewestChangeForTheVersion() {
    LoadedRules first = LoadedRules.NONE.next(List.of(service("a.yaml", "payments", 10)), 1_000);
    LoadedRules later = first.next(List.of(service("a.yaml", "payments", 20)), 5_000);

    assertThat(first.snapshot().rules().version()).isEqualTo(1_000);
    assertThat(later.snapshot().rules().version()).isEqualTo(5_000);
  }

  @Test
  void growsTheVersionWithEachChangeEvenIfTheClockFallsBack() {
    LoadedRules first = LoadedRules.NONE.next(List.of(service("a.yaml", "payments", 10)), 5_000);
    LoadedRules sameTime = first.next(List.of(service("a.yaml", "payments", 20)), 5_000);
    LoadedRules olderFile = sameTime.next(List.of(service("a.yaml", "payments", 10)), 3_000);

    assertThat(sameTime.snapshot().rules().version()).isEqualTo(5_001);
    assertThat(olderFile.snapshot().rules().version()).isEqualTo(5_002);
  }

  @Test
  void keepsTheVersionWhileTheRulesAreEqual() {
    LoadedRules first = LoadedRules.NONE.next(List.of(service("a.yaml", "payments", 10)), 1_000);

    LoadedRules touched = first.next(List.of(service("a.yaml", "payments", 10)), 5_000);
    LoadedRules renamed = touched.next(List.of(service("b.yaml", "payments", 10)), 6_000);
    LoadedRules broken = renamed.next(List.of(file("b.yaml", "")), 7_000);

    assertThat(touched.snapshot()).isEqualTo(first.snapshot());
    assertThat(renamed.snapshot()).isEqualTo(first.snapshot());
    assertThat(broken.snapshot().rules()).isEqualTo(first.snapshot().rules());
  }

  @Test
  void leavesPrecedenceToReplicasThatHaveTheLastGoodFormOfABrokenFile() {
    ParsedFile shipping = service("b.yaml", "shipping", 20);
    LoadedRules started = LoadedRules.NONE.next(List.of(BROKEN_A, shipping), 5_000);
    LoadedRules edited = started.next(List.of(BROKEN_A, service("b.yaml", "shipping", 30)), 6_000);
    LoadedRules mended = edited.next(List.of(service("a.yaml", "payments", 10), shipping), 7_000);
    LoadedRules brokenAgain =
        mended.next(List.of(BROKEN_A, service("b.yaml", "shipping", 40)), 8_000);

    assertThat(started.snapshot().rules().version()).isEqualTo(1);
    assertThat(edited.snapshot().rules().version()).isEqualTo(2);
    assertThat(mended.snapshot().rules().version()).isEqualTo(7_000);
    assertThat(brokenAgain.snapshot().rules().version()).isEqualTo(8_000);
  }

  @Test
  void leavesPrecedenceToReplicasThatKnowWhichOfTwoFilesWasFirst() {
    ParsedFile first = service("b.yaml", "payments", 20);
    ParsedFile second = service("a.yaml", "payments", 10);
    LoadedRules before = LoadedRules.NONE.next(List.of(first), 5_000);

    LoadedRules both = before.next(List.of(first, second), 6_000);
    LoadedRules restarted = LoadedRules.NONE.next(List.of(first, second), 6_000);

    assertThat(limits(both)).isEqualTo(Map.of("payments", 20.0));
    assertThat(both.snapshot().rules().version()).isEqualTo(5_000);
    assertThat(limits(restarted)).isEqualTo(Map.of("payments", 10.0));
    assertThat(restarted.snapshot().rules().version()).isEqualTo(1);
  }

  @Test
  void givesNoRulesAVersionTooOnceTheFilesHaveBeenRead() {
    LoadedRules empty = LoadedRules.NONE.next(List.of(), 1_000);

    assertThat(empty.snapshot())
        .isEqualTo(new RuleSnapshot(RuleSet.of(1_000, List.of()), List.of()));
    assertThat(empty.next(List.of(), 2_000).snapshot().rules().version()).isEqualTo(1_000);
  }

  private static LoadedRules load(LoadedRules before, ParsedFile... files) {
    return before.next(List.of(files), 1_000);
  }

  private static ParsedFile service(String file, String service, int limitPerSecond) {
    return file(
        file,
        "service: %s\nrules:\n  - { name: r, limit: %d/s }\n".formatted(service, limitPerSecond));
  }

  private static ParsedFile file(String name, String yaml) {
    return RuleCodec.read(name, yaml.getBytes(UTF_8));
  }

  /** The limit of each service's only rule. */
  private static Map<String, Double> limits(LoadedRules loaded) {
    Map<String, Double> limits = new TreeMap<>();
    for (ServiceRules service : loaded.snapshot().rules().services().values()) {
      service.rules().forEach(rule -> limits.put(service.service(), rule.limit().perSecond()));
    }
    return limits;
  }

  private static List<String> problems(LoadedRules loaded) {
    return loaded.snapshot().problems().stream().map(FileProblem::toString).toList();
  }
}
