package io.headgate.agent;

import static io.headgate.agent.Samples.accept;
import static io.headgate.agent.Samples.payments;
import static io.headgate.agent.Samples.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.rule.BucketKey;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OverflowTest {

  private static final int MANY = 1_000_000;

  private final Gates gates = Samples.gates(() -> 0);

  private Gate gate(String caller, String procedure) {
    return gates.gate("payments", caller, procedure);
  }

  private Set<BucketKey> keys() {
    Set<BucketKey> keys = new HashSet<>();
    gates.services().forEach(s -> s.buckets().forEach(bucket -> keys.add(bucket.key())));
    return keys;
  }

  private void dropAll(String rule, String caller) {
    gates.services().stream()
        .flatMap(service -> service.buckets().stream())
        .filter(b -> b.key().rule().equals(rule) && b.key().caller().equals(caller))
        .forEach(bucket -> bucket.enforce(accept(0)));
  }

  @Test
  void aMillionCallersStayBoundedAndAreLimitedTogether() {
    gate("first", "Charge");
    gates.apply(payments(rule("each-caller").perCaller().build(), rule("all").build()));

    for (int i = 0; i < MANY; i++) {
      gate("caller-" + i, "Charge").judge();
    }

    assertThat(gates.gateCount()).isEqualTo(10_000);
    assertThat(gates.overflowGateCount()).isEqualTo(1);
    assertThat(gates.bucketCount()).isEqualTo(10_002);
    assertThat(gates.overflowLookups()).isEqualTo(MANY - 9_999);
    dropAll("each-caller", "*");
    assertThat(gate("caller-never-seen", "Charge").judge().rule()).isEqualTo("each-caller");
    assertThat(gate("caller-1", "Charge").judge().admitted()).isTrue();
  }

  @Test
  void aMillionCallersAndProceduresStillMeetTheRulesOfTheirPatterns() {
    gate("first", "/cart/1");
    gates.apply(
        payments(
            rule("carts").procedure("/cart/*").limit(7).build(),
            rule("each-path").procedure("/item/*").perProcedure().build(),
            rule("each-pair").perCaller().perProcedure().build()));
    for (int i = 0; i < MANY; i++) {
      gate("caller-" + i, (i % 2 == 0 ? "/cart/" : "/item/") + i).judge();
    }

    assertThat(gates.gateCount()).isEqualTo(10_000);
    assertThat(gates.overflowGateCount()).isEqualTo(2);
    // Single names: one bucket for each permit. Shared: carts, and two rules by two patterns.
    assertThat(gates.bucketCount()).isBetween(10_001, 10_005);
    dropAll("carts", "");
    assertThat(gate("x", "/cart/new").judge().rule()).isEqualTo("carts");
    assertThat(gate("x", "/item/new").judge().admitted()).isTrue();
    assertThat(gate("x", "/other").judge().admitted()).isTrue();
  }

  @Test
  void aCallerThatARuleNamesKeepsItsOwnLimitUnderAFlood() {
    Gates small = Samples.gates(10, () -> 0);
    for (int i = 0; i < 20; i++) {
      small.gate("payments", "flood-" + i, "Charge");
    }
    small.apply(
        payments(
            rule("checkout").caller("checkout").build(), rule("each-caller").perCaller().build()));

    Gate named = small.gate("payments", "checkout", "Charge");
    Gate other = small.gate("payments", "flood-20", "Charge");

    assertThat(named.isOverflow()).isTrue();
    assertThat(named.caller()).isEqualTo("checkout");
    assertThat(other.caller()).isEqualTo("*");
    named.judge();
    other.judge();
    assertThat(small.services().iterator().next().buckets())
        .extracting(Bucket::key)
        .contains(
            new BucketKey("payments", "checkout", "", ""),
            new BucketKey("payments", "each-caller", "checkout", ""),
            new BucketKey("payments", "each-caller", "*", ""));
  }

  @Test
  void namesTooLongToKeepShareAGate() {
    gate("first", "Charge");
    gates.apply(payments(rule("each-caller").perCaller().build()));

    Gate gate = gate("x".repeat(257), "Charge");

    assertThat(gate.isOverflow()).isTrue();
    assertThat(gates.gateCount()).isEqualTo(1);
    assertThat(gate("x".repeat(256), "Charge").isOverflow()).isFalse();
  }

  @Test
  void aPairHasOneGateForEver() {
    Gate gate = gate("checkout", "Charge");

    gates.apply(payments(rule("all").build()));

    assertThat(gate("checkout", "Charge")).isSameAs(gate);
    assertThat(gate.isOverflow()).isFalse();
  }

  @Test
  void roomForBucketsIsGivenBackWhenRulesChange() {
    Gates small = Samples.gates(3, () -> 0);
    for (String caller : new String[] {"a", "b", "c"}) {
      small.gate("payments", caller, "Charge");
    }
    for (String rule : new String[] {"r1", "r2", "r3", "r4"}) {
      small.apply(payments(rule(rule).perCaller().build()));

      assertThat(small.services().iterator().next().buckets())
          .extracting(bucket -> bucket.key().caller())
          .containsExactlyInAnyOrder("a", "b", "c");
    }
  }

  @Test
  void servicesBeyondTheBoundAreNotLimited() {
    for (int i = 0; i < 2 * Gates.MAX_SERVICES; i++) {
      gates.gate("service-" + i, "checkout", "Charge");
    }

    assertThat(gates.services()).hasSize(Gates.MAX_SERVICES);
    Gate gate = gates.gate("service-" + (2 * Gates.MAX_SERVICES), "checkout", "Charge");
    assertThat(gate.isOverflow()).isTrue();
    assertThat(gate.judge()).isSameAs(Verdict.ADMITTED);
  }

  @Test
  void aServiceThatNoRuleCanNameIsNotLimited() {
    assertThat(gates.gate("no such service", "checkout", "Charge").judge())
        .isSameAs(Verdict.ADMITTED);
    assertThat(gates.services()).isEmpty();
  }
}
