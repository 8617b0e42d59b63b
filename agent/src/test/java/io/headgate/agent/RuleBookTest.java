package io.headgate.agent;

import static io.headgate.agent.Samples.rule;
import static io.headgate.agent.Samples.ruleSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import io.headgate.fixtures.VirtualLoop;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.v1.Rules;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RuleBookTest {

  private final VirtualLoop loop = new VirtualLoop();
  private final Gates gates = Samples.gates(() -> 0);
  private int olderAdopted;
  private final RuleBook book =
      new RuleBook(loop, gates, Duration.ofSeconds(5).toNanos(), () -> olderAdopted++);

  @BeforeEach
  void gate() {
    gates.gate("payments", "checkout", "Charge");
  }

  private static Rules rules(long version, String... names) {
    Rule[] rules = List.of(names).stream().map(name -> rule(name).build()).toArray(Rule[]::new);
    return RuleMessages.all(ruleSet(version, rules));
  }

  private List<String> ruleNames() {
    return gates.services().iterator().next().buckets().stream()
        .map(bucket -> bucket.key().rule())
        .sorted()
        .toList();
  }

  private void after(double seconds) {
    loop.run(Duration.ofMillis(Math.round(1_000 * seconds)));
  }

  @Test
  void laterRulesReplaceEarlierOnes() {
    book.receive(rules(5, "a"));
    book.receive(rules(6, "b"));

    assertThat(book.version()).isEqualTo(6);
    assertThat(ruleNames()).containsExactly("b");
  }

  @Test
  void rulesOfTheSameVersionAreTaken() {
    book.receive(rules(5, "a"));
    book.receive(rules(5, "b"));

    assertThat(ruleNames()).containsExactly("b");
  }

  @Test
  void aServiceWithoutRulesIsNotLimited() {
    book.receive(rules(5, "a"));
    book.receive(RuleMessages.some(RuleSet.of(6, List.of()), List.of("payments")));

    assertThat(book.version()).isEqualTo(6);
    assertThat(ruleNames()).isEmpty();
  }

  @Test
  void earlierRulesWaitUntilNobodyHasConfirmedTheLaterOnesForTheTimeToLive() {
    book.receive(rules(6, "new"));
    book.receive(rules(5, "old"));
    after(4);
    book.confirm(6);
    after(4.9);
    assertThat(ruleNames()).containsExactly("new");

    after(0.2);

    assertThat(ruleNames()).containsExactly("old");
    assertThat(book.version()).isEqualTo(5);
    assertThat(olderAdopted).isEqualTo(1);
  }

  @Test
  void earlierVersionsConfirmNothing() {
    book.receive(rules(6, "new"));
    book.receive(rules(5, "old"));
    after(4);
    book.confirm(5);

    after(1.1);

    assertThat(ruleNames()).containsExactly("old");
  }

  @Test
  void anEarlierVersionOfTheSameRulesIsTakenAtOnce() {
    book.receive(rules(6, "a"));

    book.receive(rules(5, "a"));

    assertThat(book.version()).isEqualTo(5);
    assertThat(ruleNames()).containsExactly("a");
  }

  @Test
  void earlierRulesThatHaveBeenOvertakenAreForgotten() {
    book.receive(rules(6, "new"));
    book.receive(rules(5, "old"));
    book.receive(rules(7, "newest"));

    after(60);

    assertThat(ruleNames()).containsExactly("newest");
    assertThat(olderAdopted).isZero();
  }

  @Test
  void ofSeveralEarlierVersionsTheLastThatCameIsTaken() {
    book.receive(rules(6, "new"));
    book.receive(rules(4, "older"));
    book.receive(rules(5, "old"));

    after(5.1);

    assertThat(ruleNames()).containsExactly("old");
  }

  @Test
  void rulesThatMakeNoSenseChangeNothing() {
    book.receive(rules(5, "a"));
    Rules.Builder broken = rules(6, "b").toBuilder();
    broken.getServiceBuilder(0).getRuleBuilder(0).setLimitPerSecond(Double.NaN);

    assertThatThrownBy(() -> book.receive(broken.build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("service 'payments', rule 'b'");
    assertThat(book.version()).isEqualTo(5);
    assertThat(ruleNames()).containsExactly("a");
  }
}
