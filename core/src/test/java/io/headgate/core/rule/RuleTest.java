package io.headgate.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleTest {

  private static final Location EU_WEST_A = new Location("eu-west", "eu-west-a");

  /** What a process in zone eu-west-a of region eu-west counts together with, and its limit. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "global |                        | global         | 100",
        "region |                        | region:eu-west | 100",
        "zone   |                        | zone:eu-west-a | 100",
        "global | us-east                | global         | 100",
        "global | eu-west                | region:eu-west | 400",
        "global | eu-west-a              | zone:eu-west-a | 400",
        "region | eu-west                | region:eu-west | 400",
        "region | eu-west-a              | zone:eu-west-a | 400",
        "region | eu-west-b              | region:eu-west | 100",
        "zone   | eu-west                | zone:eu-west-a | 400",
        "zone   | eu-west-a              | zone:eu-west-a | 400",
      })
  void setsARegionOrZoneWithALimitOfItsOwnApart(
      String scope, String place, String domain, double limit) {
    Map<String, Rate> limits = place == null ? Map.of() : Map.of(place, Rate.perSecond(400));
    Rule rule = rule("r", "*", "*", Scope.valueOf(scope.toUpperCase(Locale.ROOT)), limits);

    assertThat(rule.domain(EU_WEST_A)).hasToString(domain);
    assertThat(rule.limit(EU_WEST_A)).isEqualTo(Rate.perSecond(limit));
  }

  @Test
  void prefersTheLimitOfTheZoneToThatOfItsRegion() {
    Rule rule =
        rule(
            "r",
            "*",
            "*",
            Scope.GLOBAL,
            Map.of("eu-west", Rate.perSecond(400), "eu-west-a", Rate.perSecond(30)));

    assertThat(rule.domain(EU_WEST_A)).isEqualTo(Domain.zone("eu-west-a"));
    assertThat(rule.limit(EU_WEST_A)).isEqualTo(Rate.perSecond(30));
    Location other = new Location("eu-west", "eu-west-b");
    assertThat(rule.domain(other)).isEqualTo(Domain.region("eu-west"));
    assertThat(rule.limit(other)).isEqualTo(Rate.perSecond(400));
  }

  @Test
  void matchesWhenBothSidesDo() {
    Rule rule = rule("r", "checkout", "Pay/*", Scope.GLOBAL, Map.of());

    assertThat(rule.matches("checkout", "Pay/Charge")).isTrue();
    assertThat(rule.matches("refunds", "Pay/Charge")).isFalse();
    assertThat(rule.matches("checkout", "Ship/Send")).isFalse();
  }

  @Test
  void isJudgedNarrowScopeFirstThenCloserMatchThenByName() {
    Rule all = rule("all", "*", "*", Scope.GLOBAL, Map.of());
    Rule exactPair = rule("exact-pair", "checkout", "Pay/Charge", Scope.GLOBAL, Map.of());
    Rule prefix = rule("prefix", "*", "Pay/*", Scope.GLOBAL, Map.of());
    Rule longerPrefix = rule("longer", "*", "Pay/Ch*", Scope.GLOBAL, Map.of());
    Rule callerA = rule("caller-a", "checkout", "*", Scope.GLOBAL, Map.of());
    Rule callerB = rule("caller-b", "checkout", "*", Scope.GLOBAL, Map.of());
    Rule region = rule("region", "*", "*", Scope.REGION, Map.of());
    Rule zone = rule("zone", "*", "*", Scope.ZONE, Map.of());

    ServiceRules rules =
        new ServiceRules(
            "payments",
            List.of(all, callerB, prefix, region, exactPair, longerPrefix, callerA, zone));

    assertThat(rules.rules())
        .containsExactly(zone, region, exactPair, callerA, callerB, longerPrefix, prefix, all);
  }

  @Test
  void hasOneTextWhateverTheOrderOfItsLimits() {
    Map<String, Rate> limits = new LinkedHashMap<>();
    Stream.of("z", "y", "x", "b", "a").forEach(name -> limits.put(name, Rate.perSecond(1)));

    assertThat(rule("r", "*", "*", Scope.ZONE, limits).toString())
        .contains("limits={a=1/s, b=1/s, x=1/s, y=1/s, z=1/s}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "two words", "a|b", "tab\t", "naïve", "\u007f"})
  void refusesNamesThatAreNoIdentifier(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule(name, "*", "*", Scope.GLOBAL, Map.of()))
        .withMessageStartingWith("rule: '" + name + "' (expected: 1 to 128 printable ASCII");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule("r", "*", "*", Scope.ZONE, Map.of(name, Rate.perSecond(1))))
        .withMessageStartingWith("region or zone: '" + name + "'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ServiceRules(name, List.of()))
        .withMessageStartingWith("service: '" + name + "'");
  }

  @Test
  void takesNamesOf128CharactersAndNoMore() {
    assertThat(rule("n".repeat(128), "*", "*", Scope.GLOBAL, Map.of()).name()).hasSize(128);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule("n".repeat(129), "*", "*", Scope.GLOBAL, Map.of()));
  }

  @Test
  void isUniqueByNameInItsService() {
    Rule rule = rule("r", "*", "*", Scope.GLOBAL, Map.of());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ServiceRules("payments", List.of(rule, rule)))
        .withMessage("rule: 'r' is there twice");
  }

  private static Rule rule(
      String name, String caller, String procedure, Scope scope, Map<String, Rate> limits) {
    return new Rule(
        name,
        NamePattern.of(caller),
        NamePattern.of(procedure),
        false,
        false,
        Rate.perSecond(100),
        limits,
        scope,
        Behavior.DENY);
  }
}
