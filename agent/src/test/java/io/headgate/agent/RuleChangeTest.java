package io.headgate.agent;

import static io.headgate.agent.Samples.accept;
import static io.headgate.agent.Samples.bucket;
import static io.headgate.agent.Samples.payments;
import static io.headgate.agent.Samples.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Scope;
import org.junit.jupiter.api.Test;

class RuleChangeTest {

  private final Gates gates = Samples.gates(() -> Samples.draw(0.5));
  private final Gate gate = gates.gate("payments", "checkout", "Charge");

  @Test
  void aBucketWhoseKeyIsStillThereKeepsItsCountsAndDirective() {
    gates.apply(payments(rule("all").limit(100).build()));
    Bucket bucket = bucket(gates, "all");
    bucket.enforce(accept(0.25));
    gate.judge();

    gates.apply(payments(rule("all").limit(50).build(), rule("more").build()));

    assertThat(bucket(gates, "all")).isSameAs(bucket);
    assertThat(gate.judge().limit()).isEqualTo(Rate.perSecond(50));
    assertThat(bucket.snapshot().dropped()).isEqualTo(2);
  }

  @Test
  void fromShadowToDenyAndBackActsAtOnce() {
    gates.apply(payments(rule("all").shadow().build()));
    bucket(gates, "all").enforce(accept(0.25));
    assertThat(gate.judge().admitted()).isTrue();

    gates.apply(payments(rule("all").build()));
    assertThat(gate.judge().rule()).isEqualTo("all");

    gates.apply(payments(rule("all").shadow().build()));
    assertThat(gate.judge().admitted()).isTrue();
    assertThat(bucket(gates, "all").snapshot().wouldDrop()).isEqualTo(2);
    assertThat(bucket(gates, "all").snapshot().dropped()).isEqualTo(1);
  }

  @Test
  void rulesThatAreGoneCountNoMore() {
    gates.apply(payments(rule("all").build()));

    gates.apply(payments());

    gate.judge();
    assertThat(gates.bucketCount()).isZero();
  }

  @Test
  void rulesOfAServiceWithoutGatesAreNotKept() {
    Gates none = Samples.gates(() -> 0);

    none.apply(payments(rule("all").build()));

    assertThat(none.services()).isEmpty();
  }

  @Test
  void narrowScopesAreAskedBeforeWideAndCloseMatchesBeforeGeneral() {
    gates.apply(
        payments(
            rule("a-world").build(),
            rule("b-named").caller("checkout").build(),
            rule("c-zone").scope(Scope.ZONE).build()));
    for (String rule : new String[] {"a-world", "b-named", "c-zone"}) {
      bucket(gates, rule).enforce(accept(0.9));
    }
    bucket(gates, "a-world").enforce(accept(0));

    assertThat(gate.judge().rule()).isEqualTo("a-world");
    assertThat(bucket(gates, "c-zone").snapshot().offered()).isEqualTo(1);
    bucket(gates, "b-named").enforce(accept(0));
    assertThat(gate.judge().rule()).isEqualTo("b-named");
    bucket(gates, "c-zone").enforce(accept(0));
    assertThat(gate.judge().rule()).isEqualTo("c-zone");
  }
}
