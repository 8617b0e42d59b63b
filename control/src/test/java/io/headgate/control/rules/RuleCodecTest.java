package io.headgate.control.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.headgate.control.status.FileProblem;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleOptions;
import io.headgate.core.rule.Sampler;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.core.rule.WhenCutOff;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuleCodecTest {

  @Test
  void readsEveryKey() {
    assertThat(
            services(
                """
                service: payments
                rules:
                  - name: checkout-charge
                    match: { caller: checkout, procedure: payments.v1.Payments/Charge } # one pair
                    limit: 5000/s
                    scope: region
                    behavior: allow
                  - name: each-caller
                    match: { procedure: payments.v1.Payments/* }
                    per: [caller, procedure]
                    limit: 200/s
                    limits: { eu-west: 400/s, us-east-1a: 30/min }
                    criticality: 5
                    sampler: stratified
                    whenCutOff: open
                    surgeGuard: 2.5
                """))
        .containsExactly(
            new ServiceRules(
                "payments",
                List.of(
                    new Rule(
                        "checkout-charge",
                        NamePattern.of("checkout"),
                        NamePattern.of("payments.v1.Payments/Charge"),
                        false,
                        false,
                        Rate.perSecond(5000),
                        Map.of(),
                        Scope.REGION,
                        Behavior.ALLOW),
                    new Rule(
                        "each-caller",
                        NamePattern.any(),
                        NamePattern.of("payments.v1.Payments/*"),
                        true,
                        true,
                        Rate.perSecond(200),
                        Map.of("eu-west", Rate.perSecond(400), "us-east-1a", Rate.perSecond(0.5)),
                        Scope.GLOBAL,
                        Behavior.DENY,
                        new RuleOptions(5, Sampler.STRATIFIED, WhenCutOff.OPEN, 2.5)))));
  }

  @Test
  void takesARuleWithoutMatchToBeAboutAllCallsOfTheService() {
    Rule absent = onlyRule("limit: 5/s");

    assertThat(absent.caller().isAny()).isTrue();
    assertThat(absent.procedure().isAny()).isTrue();
    assertThat(onlyRule("limit: 5/s\n    match: {}")).isEqualTo(absent);
    assertThat(onlyRule("limit: 5/s\n    match: { caller: '*' }")).isEqualTo(absent);
  }

  @Test
  void takesOptionsThatAreNotThereAsUsual() {
    Rule absent = onlyRule("limit: 5/s");

    assertThat(absent.options()).isEqualTo(RuleOptions.DEFAULT);
    assertThat(
            onlyRule(
                "limit: 5/s\n    criticality: 3\n    sampler: auto\n    whenCutOff: share"
                    + "\n    surgeGuard: off"))
        .isEqualTo(absent);
  }

  @Test
  void aCandidateIsAShadowOfItsRuleAndMeetsCallsBeforeIt() {
    List<Rule> rules =
        services(
                """
                service: payments
                rules:
                  - name: charge
                    match: { caller: checkout }
                    limit: 5000/s
                    candidate: 4000/s
                    limits: { eu-west: 900/s }
                    scope: region
                    surgeGuard: 2
                """)
            .get(0)
            .rules();

    assertThat(rules).extracting(Rule::name).containsExactly("charge.candidate", "charge");
    assertThat(rules.get(0)).isEqualTo(rules.get(1).candidate(Rate.perSecond(4000)));
    assertThat(rules.get(0).behavior()).isEqualTo(Behavior.ALLOW);
    assertThat(rules.get(0).limitsAt()).containsOnlyKeys("eu-west");
    assertThat(rules.get(0).options().isGuarded()).isFalse();
  }

  @Test
  void theNameOfACandidateIsItsOwn() {
    assertThat(
            read("""
                    service: payments
                    rules:
                      - { name: charge.candidate, limit: 1/s }
                      - { name: charge, limit: 5/s, candidate: 4/s }
                    """)
                .problems())
        .singleElement()
        .hasToString(
            "rules.yaml:4:44: duplicate rule name 'charge.candidate' (first on line 3, column 13)");
  }

  @Test
  void howFarATrialHasComeChangesNoRule() {
    String trial =
        "\n    trial: { of: 4/s, since: 2026-03-02T00:00:00Z, stage: zone, places: [eu-west-1] }";
    assertThat(onlyRule("limit: 5/s" + trial)).isEqualTo(onlyRule("limit: 5/s"));
  }

  @Test
  void aTrialWithMistakesIsAMistakeOfTheFile() {
    assertThat(
            read("""
                    service: payments
                    rules:
                      - name: a
                        limit: 5/s
                        trial: { of: 4, since: today, stage: sone, places: eu, former: 5/s }
                      - { name: b, limit: 5/s, trial: now }
                      - { name: c, limit: 5/s, trial: {} }
                    """)
                .problems())
        .extracting(FileProblem::toString)
        .containsExactly(
            "rules.yaml:5:18: trial.of: '4' has no unit (expected: a rate such as 4/s)",
            "rules.yaml:5:28: trial.since: found 'today' (expected: a time such as"
                + " 2026-11-27T08:00:00Z)",
            "rules.yaml:5:42: trial.stage: found 'sone' (expected: shadow, zone, region or global;"
                + " did you mean 'zone'?)",
            "rules.yaml:5:56: trial.places: found 'eu' (expected: a list of regions or zones)",
            "rules.yaml:5:60: unknown key 'former' (expected: of, since, stage, places,"
                + " formerLimit, formerBehavior or peak)",
            "rules.yaml:6:35: trial: found 'now' (expected: a mapping with of and since)",
            "rules.yaml:7:35: a trial without of (expected: of, a rate)",
            "rules.yaml:7:35: a trial without since (expected: since, a time)");
  }

  @Test
  void takesASingleWordForAListOfOne() {
    assertThat(onlyRule("limit: 5/s\n    per: caller"))
        .isEqualTo(onlyRule("limit: 5/s\n    per: [caller]"));
  }

  @Test
  void takesProceduresOfHttp() {
    assertThat(onlyRule("limit: 5/s\n    match: { procedure: GET /api/* }").procedure())
        .isEqualTo(NamePattern.of("GET /api/*"));
  }

  @Test
  void takesNamesThatLookLikeNumbersOrBooleansAsTheyAreWritten() {
    assertThat(services("service: 0123\nrules: [{ name: true, limit: 1/s }]"))
        .singleElement()
        .satisfies(
            service -> {
              assertThat(service.service()).isEqualTo("0123");
              assertThat(service.rules().get(0).name()).isEqualTo("true");
            });
  }

  @Test
  void readsOneServiceADocumentAndPassesOverEmptyDocuments() {
    assertThat(
            services(
                """
                ---
                service: payments
                rules: []
                ---
                ---
                service: shipping
                rules: []
                ---
                # nothing
                """))
        .extracting(ServiceRules::service)
        .containsExactly("payments", "shipping");
  }

  @Test
  void resolvesAnchorsAliasesAndMergeKeys() {
    assertThat(
            services(
                """
                service: payments
                rules:
                  - &first { name: a, match: &all { caller: checkout }, limit: &few 5/s }
                  - { name: b, match: *all, limit: *few }
                  - { <<: *first, name: c }
                """))
        .singleElement()
        .satisfies(
            service ->
                assertThat(service.rules())
                    .extracting(Rule::name, rule -> rule.caller().toString(), Rule::limit)
                    .containsExactly(
                        tuple("a", "checkout", Rate.perSecond(5)),
                        tuple("b", "checkout", Rate.perSecond(5)),
                        tuple("c", "checkout", Rate.perSecond(5))));
  }

  @Test
  void passesOverAByteOrderMark() {
    assertThat(services("\uFEFFservice: payments\nrules: []\n")).hasSize(1);
  }

  @Test
  void tellsWhereEachServiceStands() {
    ParsedFile file = read("service: a\nrules: []\n---\nrules: []\nservice: b\n");

    assertThat(file.services())
        .extracting(ParsedFile.Service::line, ParsedFile.Service::column)
        .containsExactly(tuple(1, 10), tuple(5, 10));
  }

  @Test
  void writesTheCanonicalForm() {
    String canonical =
        """
        service: payments
        rules:
          - name: each-caller
            match: { procedure: payments.v1.Payments/* }
            per: [caller]
            limit: 200/s
            limits: { eu-west: 400/s, us-east: 30/min }
            scope: region
            behavior: allow
          - name: all
            limit: 5000/s
            scope: global
            behavior: deny
            criticality: 0
            sampler: independent
            whenCutOff: open
            surgeGuard: 3
        ---
        service: 'on'
        rules: []
        """;

    assertThat(RuleCodec.write(services(canonical))).isEqualTo(canonical);
  }

  private static Rule onlyRule(String keys) {
    return services("service: payments\nrules:\n  - name: r\n    " + keys + "\n")
        .get(0)
        .rules()
        .get(0);
  }

  private static List<ServiceRules> services(String yaml) {
    ParsedFile file = read(yaml);
    assertThat(file.problems()).isEmpty();
    return file.services().stream().map(ParsedFile.Service::rules).toList();
  }

  private static ParsedFile read(String yaml) {
    return RuleCodec.read("rules.yaml", yaml.getBytes(UTF_8));
  }
}
