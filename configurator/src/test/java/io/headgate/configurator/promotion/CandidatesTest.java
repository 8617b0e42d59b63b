package io.headgate.configurator.promotion;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.configurator.plan.ChangeSet;
import io.headgate.configurator.plan.LimitDecision;
import io.headgate.control.rules.repository.RuleEdit;
import io.headgate.core.rule.Rate;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CandidatesTest {

  @TempDir private Path directory;

  private List<RuleEdit> edits(String candidate, double computed) throws Exception {
    Fleet fleet = new Fleet(directory).rule("limit: 2000/s", candidate);
    LimitDecision decision =
        new LimitDecision(
            "payments",
            "checkout",
            "",
            Rate.perSecond(2000),
            Rate.perSecond(computed),
            Rate.perSecond(computed),
            false,
            0,
            LimitDecision.Basis.WHOLE,
            "");
    return Candidates.edits(
        new ChangeSet(Fleet.MONDAY, "", List.of(decision), List.of()),
        fleet.repository().read(),
        fleet.config());
  }

  @Test
  void aNewLimitIsACandidateFirst() throws Exception {
    assertThat(edits("scope: global", 1000))
        .containsExactly(new RuleEdit.SetCandidate("payments", "checkout", Rate.perSecond(1000)));
  }

  @Test
  void aCandidateThatIsAsGoodKeepsItsTrial() throws Exception {
    assertThat(edits("candidate: 1000/s", 1049)).isEmpty();
    assertThat(edits("candidate: 1000/s", 951)).isEmpty();
  }

  @Test
  void aCandidateThatIsOffTheMarkIsReplaced() throws Exception {
    assertThat(edits("candidate: 1000/s", 1051)).hasSize(1);
    assertThat(edits("candidate: 1000/s", 949)).hasSize(1);
  }

  @Test
  void aLimitThatStaysIsNoCandidate() throws Exception {
    assertThat(edits("scope: global", 2000)).isEmpty();
  }
}
