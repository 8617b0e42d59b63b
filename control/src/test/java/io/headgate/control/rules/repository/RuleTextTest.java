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
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class RuleTextTest {

  private static final String FILE =
      """
      # Limits of payments. Ask before you raise them.
      service: payments
      rules:
        - name: charge      # the main one
          limit: 5000/s     # agreed
          scope: region
          limits:
            eu-west: 900/s
        # candidates are listed here
        - { name: refund, limit: 100/s, behavior: allow } # flow
        - limit: 7/s
          name: last
          candidate: 6/s # on trial

      # end
      ---
      service: search
      rules: []
      """;

  private static String after(RuleEdit... edits) throws InvalidEditException {
    return after(FILE, edits);
  }

  private static String after(String file, RuleEdit... edits) throws InvalidEditException {
    RuleFiles files = new RuleFiles(Map.of("payments.yaml", file.getBytes(UTF_8)));
    return new String(files.edited(List.of(edits)).contents().get("payments.yaml"), UTF_8);
  }

  private static Rule rule(String name) {
    return new Rule(
        name,
        NamePattern.of("checkout"),
        NamePattern.any(),
        false,
        false,
        Rate.perSecond(10),
        Map.of(),
        Scope.GLOBAL,
        Behavior.ALLOW);
  }

  @Test
  void aLimitChangesInItsPlaceAndNothingElseDoes() throws Exception {
    assertThat(after(new RuleEdit.SetLimit("payments", "charge", Rate.perSecond(6000))))
        .isEqualTo(FILE.replace("5000/s     # agreed", "6000/s     # agreed"));
    assertThat(after(new RuleEdit.SetLimit("payments", "refund", Rate.perSecond(50))))
        .isEqualTo(FILE.replace("100/s", "50/s"));
  }

  @Test
  void aKeyThatIsMissingIsAddedInTheStyleOfItsRule() throws Exception {
    assertThat(after(new RuleEdit.SetCandidate("payments", "charge", Rate.perSecond(4000))))
        .isEqualTo(FILE.replace("# agreed\n", "# agreed\n    candidate: 4000/s\n"));
    assertThat(after(new RuleEdit.SetCandidate("payments", "refund", Rate.perSecond(90))))
        .isEqualTo(FILE.replace("100/s,", "100/s, candidate: 90/s,"));
    assertThat(after(new RuleEdit.SetBehavior("payments", "last", Behavior.ALLOW)))
        .isEqualTo(FILE.replace("limit: 7/s\n", "limit: 7/s\n    behavior: allow\n"));
  }

  @Test
  void aKeyIsTakenAwayWithItsLineOrWithItsComma() throws Exception {
    assertThat(after(new RuleEdit.SetCandidate("payments", "last", null)))
        .isEqualTo(FILE.replace("    candidate: 6/s # on trial\n", ""));
    String flow = "service: s\nrules: [{ name: a, limit: 5/s, candidate: 4/s }]\n";
    assertThat(after(flow, new RuleEdit.SetCandidate("s", "a", null)))
        .isEqualTo("service: s\nrules: [{ name: a, limit: 5/s }]\n");
    String first = "service: s\nrules:\n  - candidate: 4/s\n    name: a\n    limit: 5/s\n";
    assertThat(after(first, new RuleEdit.SetCandidate("s", "a", null)))
        .isEqualTo("service: s\nrules:\n  - name: a\n    limit: 5/s\n");
    assertThat(after(new RuleEdit.SetCandidate("payments", "charge", null))).isEqualTo(FILE);
  }

  @Test
  void limitsOfSinglePlacesAreChangedOrAdded() throws Exception {
    assertThat(after(new RuleEdit.SetLimitAt("payments", "charge", "eu-west", Rate.perSecond(800))))
        .isEqualTo(FILE.replace("900/s", "800/s"));
    assertThat(after(new RuleEdit.SetLimitAt("payments", "charge", "us-east", Rate.perSecond(1))))
        .isEqualTo(FILE.replace("900/s\n", "900/s\n      'us-east': 1/s\n"));
    assertThat(after(new RuleEdit.SetLimitAt("payments", "last", "us-east", Rate.perSecond(1))))
        .isEqualTo(FILE.replace("limit: 7/s\n", "limit: 7/s\n    limits: { 'us-east': 1/s }\n"));
  }

  @Test
  void rulesAreAddedBehindTheOthers() throws Exception {
    assertThat(after(new RuleEdit.Add("payments", rule("new"))))
        .isEqualTo(
            FILE.replace(
                "6/s # on trial\n",
                """
                6/s # on trial
                  - name: new
                    match: { caller: checkout }
                    limit: 10/s
                    scope: global
                    behavior: allow
                """));
    assertThat(
            after(new RuleEdit.Add("search", rule("new")), new RuleEdit.Add("search", rule("b"))))
        .contains("service: search\nrules: \n  - name: new\n")
        .contains("behavior: allow\n  - name: b\n");
  }

  @Test
  void aServiceThatIsNotThereGetsAFile() throws Exception {
    RuleFiles files = new RuleFiles(Map.of("payments.yaml", FILE.getBytes(UTF_8)));
    RuleFiles after = files.edited(List.of(new RuleEdit.Add("a/b", rule("new"))));
    assertThat(after.contents()).containsOnlyKeys("payments.yaml", "a-b.yaml");
    assertThat(after.rule("a/b", "new")).isEqualTo(rule("new"));
  }

  @Test
  void whatComesBeforeAnEditMayBeAnyCharacter() throws Exception {
    String odd = "\uFEFF# 💡 größer\r\nservice: s\r\nrules:\r\n  - name: a\r\n    limit: 5/s\r\n";
    assertThat(
            after(
                odd,
                new RuleEdit.SetLimit("s", "a", Rate.perSecond(12)),
                new RuleEdit.SetCandidate("s", "a", Rate.perSecond(3))))
        .isEqualTo(odd.replace("5/s", "12/s\n    candidate: 3/s"));
  }

  @Test
  void anEditThatCannotBeMadeSaysWhy() {
    assertThatThrownBy(() -> after(new RuleEdit.SetLimit("payments", "gone", Rate.perSecond(1))))
        .isInstanceOf(InvalidEditException.class)
        .hasMessage("payments.yaml: service 'payments' has no rule 'gone'");
    assertThatThrownBy(() -> after(new RuleEdit.SetLimit("nobody", "a", Rate.perSecond(1))))
        .hasMessage("service 'nobody': no file without mistakes has it");
    assertThatThrownBy(() -> after(new RuleEdit.Add("payments", rule("charge"))))
        .hasMessageContaining("duplicate rule name 'charge'");
    assertThatThrownBy(
            () ->
                after(
                    "service: s\nrules: [{ name: a, limit: 1/s }]\n",
                    new RuleEdit.Add("s", rule("new"))))
        .hasMessageContaining("its rules are in brackets");
  }

  /** Edits of different rules are made at once, since a run may make thousands. */
  @Test
  void manyEditsComeToTheSameAsOneAfterTheOther() throws Exception {
    RandomGenerator random = RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(11);
    for (int round = 0; round < 300; round++) {
      List<RuleEdit> edits = new ArrayList<>();
      int added = 0;
      for (int i = random.nextInt(1, 12); i > 0; i--) {
        String rule = List.of("charge", "refund", "last").get(random.nextInt(3));
        Rate rate = Rate.perSecond(random.nextInt(1, 100_000));
        edits.add(
            switch (random.nextInt(6)) {
              case 0 -> new RuleEdit.SetLimit("payments", rule, rate);
              case 1 -> new RuleEdit.SetCandidate("payments", rule, rate);
              case 2 -> new RuleEdit.SetCandidate("payments", rule, null);
              case 3 -> new RuleEdit.SetBehavior("payments", rule, Behavior.DENY);
              case 4 -> new RuleEdit.SetLimitAt("payments", rule, "eu-" + random.nextInt(3), rate);
              default ->
                  new RuleEdit.Add(
                      random.nextBoolean() ? "payments" : "search", rule("new" + added++));
            });
      }
      String oneByOne = FILE;
      for (RuleEdit edit : edits) {
        oneByOne = after(oneByOne, edit);
      }

      assertThat(after(edits.toArray(RuleEdit[]::new))).as("%s", edits).isEqualTo(oneByOne);
    }
  }
}
