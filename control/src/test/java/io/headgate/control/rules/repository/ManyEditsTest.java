package io.headgate.control.rules.repository;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManyEditsTest {

  private static final int RULES = 3000;

  /** One by one, each edit reads the file again: that takes minutes. */
  @Test
  void thousandsOfEditsAreMadeInAFewPasses() throws Exception {
    StringBuilder yaml = new StringBuilder("service: payments\nrules:\n");
    List<RuleEdit> edits = new ArrayList<>();
    StringBuilder expected = new StringBuilder(yaml);
    for (int i = 0; i < RULES; i++) {
      String rule = "  - name: r" + i + " # " + i + "\n    match: { caller: c" + i + " }\n";
      yaml.append(rule).append("    limit: 100/s\n    candidate: 90/s\n");
      expected.append(rule).append("    limit: 90/s\n");
      edits.add(new RuleEdit.SetLimit("payments", "r" + i, Rate.perSecond(90)));
      edits.add(new RuleEdit.SetCandidate("payments", "r" + i, null));
    }
    RuleFiles files = new RuleFiles(Map.of("payments.yaml", yaml.toString().getBytes(UTF_8)));

    RuleFiles after = files.edited(edits);

    assertThat(new String(after.contents().get("payments.yaml"), UTF_8))
        .isEqualTo(expected.toString());
  }

  @Test
  void aValueThatTwoRulesShareIsNotEdited() {
    String shared =
        "service: s\nrules:\n  - { name: a, limit: &l 5/s }\n  - { name: b, limit: *l }\n";
    RuleFiles files = new RuleFiles(Map.of("s.yaml", shared.getBytes(UTF_8)));
    RuleEdit a = new RuleEdit.SetLimit("s", "a", Rate.perSecond(6));
    RuleEdit b = new RuleEdit.SetLimit("s", "b", Rate.perSecond(7));

    assertThatThrownBy(() -> files.edited(List.of(a, b)))
        .isInstanceOf(InvalidEditException.class)
        .hasMessage("s.yaml: rules share a value by an alias (expected: to each rule its own)");
    assertThatThrownBy(() -> files.edited(List.of(b)))
        .isInstanceOf(InvalidEditException.class)
        .hasMessageContaining("edits would make a mistake: s.yaml:4:");
  }

  @Test
  void aRuleIsAddedAfterTheEditsBeforeItAndBeforeThoseAfterIt() throws Exception {
    String before = "service: s\nrules:\n  - name: a\n    limit: 5/s\n";
    RuleFiles files = new RuleFiles(Map.of("s.yaml", before.getBytes(UTF_8)));
    Rule added =
        new Rule(
            "b",
            NamePattern.any(),
            NamePattern.any(),
            false,
            false,
            Rate.perSecond(1),
            Map.of(),
            Scope.GLOBAL,
            Behavior.ALLOW);

    RuleFiles after =
        files.edited(
            List.of(
                new RuleEdit.SetCandidate("s", "a", Rate.perSecond(4)),
                new RuleEdit.Add("s", added),
                new RuleEdit.SetCandidate("s", "b", Rate.perSecond(2)),
                new RuleEdit.SetLimit("s", "a", Rate.perSecond(6))));

    assertThat(new String(after.contents().get("s.yaml"), UTF_8))
        .isEqualTo(
            """
            service: s
            rules:
              - name: a
                limit: 6/s
                candidate: 4/s
              - name: b
                limit: 1/s
                candidate: 2/s
                scope: global
                behavior: allow
            """);
  }
}
