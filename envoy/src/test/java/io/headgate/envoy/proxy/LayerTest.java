package io.headgate.envoy.proxy;

import static io.headgate.envoy.proxy.World.first;
import static io.headgate.envoy.proxy.World.message;
import static io.headgate.envoy.proxy.World.requests;
import static io.headgate.envoy.proxy.World.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Rule;
import io.prometheus.client.Metrics.MetricFamily;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** To which keys rules of all shapes resolve. */
class LayerTest {

  private final World world = new World();
  private final CountsCall counts = new CountsCall(world);

  private Map<String, Long> layer() {
    return new DeltaCall(world).begin("proxy-1").ratios();
  }

  private void begin(Rule rule, MetricFamily... families) {
    counts.send(first("proxy-1"));
    world.rules(rule);
    flush(families);
  }

  private void flush(MetricFamily... families) {
    counts.send(message(families));
    world.run(0.02);
  }

  @Test
  void aRuleAboutNamesAloneHasItsKeyBeforeThereIsTraffic() {
    begin(rule("r", "a", "Charge"));
    world.drop("r", 0.5);
    assertThat(layer()).isEqualTo(Map.of("pair|shop|a|/Charge", 500_000L));
  }

  @Test
  void aRuleAboutACallerIsForAllProcedures() {
    begin(rule("r", "a", null), requests("a", "/Charge", 1, 1), requests("a", "/Refund", 1, 1));
    world.drop("r", 0.5);
    assertThat(layer()).isEqualTo(Map.of("caller|shop|a", 500_000L));
  }

  @Test
  void aCallerByCertificateIsNamedWithoutTheSchemeOfItsIdAndLookedUpWithIt() {
    begin(rule("r", null, null, true, Behavior.DENY), requests("spiffe://a.org/b", "/C", 1, 1));
    world.drop("r", "a.org/b", 0.5);
    assertThat(layer()).isEqualTo(Map.of("caller|shop|spiffe://a.org/b", 500_000L));
  }

  @Test
  void aNameThatMayBeOfACertificateHasAKeyForBothSpellingsBeforeThereIsTraffic() {
    begin(rule("r", "a.org/b", null));
    world.drop("r", 0.5);
    assertThat(layer())
        .isEqualTo(
            Map.of("caller|shop|spiffe://a.org/b", 500_000L, "caller|shop|a.org/b", 500_000L));
  }

  @Test
  void aRuleAboutAProcedureIsForAllCallers() {
    begin(rule("r", null, "Charge"));
    world.drop("r", 0.5);
    assertThat(layer()).isEqualTo(Map.of("procedure|shop|/Charge", 500_000L));
  }

  @Test
  void aRuleAboutNothingIsForTheService() {
    begin(rule("r", null, null));
    world.drop("r", 0.5);
    assertThat(layer()).isEqualTo(Map.of("service|shop", 500_000L));
  }

  @Test
  void aPrefixOfProceduresResolvesToThoseSeen() {
    begin(
        rule("r", null, "pay.*"),
        requests("a", "/pay.A/Get", 1, 1),
        requests("b", "/pay.B/Get", 1, 1),
        requests("a", "/search.A/Get", 1, 1));
    world.drop("r", 0.5);
    assertThat(layer())
        .isEqualTo(
            Map.of("procedure|shop|/pay.A/Get", 500_000L, "procedure|shop|/pay.B/Get", 500_000L));

    flush(requests("a", "/pay.C/Get", 1, 2));
    assertThat(layer()).containsKey("procedure|shop|/pay.C/Get").hasSize(3);
  }

  @Test
  void aPrefixOfCallersResolvesToThoseSeen() {
    begin(
        rule("r", "batch-*", null),
        requests("batch-1", "/Charge", 1, 1),
        requests("online", "/Charge", 1, 1));
    world.drop("r", 0.5);
    assertThat(layer()).isEqualTo(Map.of("caller|shop|batch-1", 500_000L));
  }

  @Test
  void aPrefixOfBothResolvesToThePairsSeen() {
    begin(
        rule("r", "batch-*", "pay.*"),
        requests("batch-1", "/pay.A/Get", 1, 1),
        requests("batch-1", "/other", 1, 1),
        requests("online", "/pay.A/Get", 1, 1));
    world.drop("r", 0.5);
    assertThat(layer()).isEqualTo(Map.of("pair|shop|batch-1|/pay.A/Get", 500_000L));
  }

  @Test
  void aRulePerCallerHasAKeyForEachThatIsOverItsLimit() {
    begin(
        rule("r", null, null, true, Behavior.DENY),
        requests("a|b", "/Charge", 1, 1),
        requests("c", "/Charge", 1, 1));
    world.drop("r", "a|b", 0.5);
    assertThat(layer()).isEqualTo(Map.of("caller|shop|a|b", 500_000L));
  }

  @Test
  void aProcedureThatIsNoPathIsLookedUpAsItIsWritten() {
    begin(rule("r", null, "GET /transfers"), requests("a", "GET /transfers", 1, 1));
    world.drop("r", 0.5);
    assertThat(layer()).isEqualTo(Map.of("procedure|shop|GET /transfers", 500_000L));
  }

  @Test
  void ratiosAreInMillionthsAndWhatIsLessIsNotPushed() {
    begin(rule("r", null, null));
    world.drop("r", 0.000_001);
    assertThat(layer()).isEqualTo(Map.of("service|shop", 1L));
    world.drop("r", 0.000_000_4);
    assertThat(layer()).isEmpty();
    world.drop("r", 1);
    assertThat(layer()).isEqualTo(Map.of("service|shop", 1_000_000L));
  }
}
