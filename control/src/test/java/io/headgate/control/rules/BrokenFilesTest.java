package io.headgate.control.rules;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.status.FileProblem;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BrokenFilesTest {

  private static final String RULE_KEYS =
      "(expected: name, match, per, limit, candidate, trial, limits, scope, behavior, criticality, sampler, whenCutOff"
          + " or surgeGuard";

  private static final String IDENTIFIER =
      "(expected: 1 to 128 printable ASCII characters without space or '|')";

  @ParameterizedTest
  @MethodSource({"documents", "keys", "values", "syntax"})
  void saysWhatIsWrongAndWhere(String yaml, List<String> problems) {
    ParsedFile file = RuleCodec.read("a.yaml", yaml.getBytes(UTF_8));

    assertThat(file.problems()).extracting(FileProblem::toString).isEqualTo(problems);
    assertThat(file.services()).isEmpty();
  }

  static Stream<Arguments> documents() {
    String expected = "(expected: a mapping with service and rules)";
    return Stream.of(
        broken("", "a.yaml:1:1: the file is empty " + expected),
        broken("# nothing\n---\n...\n", "a.yaml:1:1: the file is empty " + expected),
        broken("hello\n", "a.yaml:1:1: found 'hello' " + expected),
        broken("- service: a\n", "a.yaml:1:1: found a list " + expected),
        broken(
            "service: a\nrules: []\n---\n- x\n---\nservice: b\n",
            "a.yaml:4:1: found a list " + expected,
            "a.yaml:6:1: no rules (expected: rules, a list)"),
        broken(
            "service: a\nrules: []\n---\nrules: []\nservice: a\n",
            "a.yaml:5:10: duplicate service 'a' (first on line 1, column 10)"));
  }

  static Stream<Arguments> keys() {
    return Stream.of(
        broken(
            "rules: []\n",
            "a.yaml:1:1: no service (expected: service, whose calls the rules are about)"),
        broken("service: a\n", "a.yaml:1:1: no rules (expected: rules, a list)"),
        broken(
            "service: a\nrule: []\n",
            "a.yaml:2:1: unknown key 'rule' (expected: service or rules; did you mean 'rules'?)"),
        broken(
            "service: a\nrules: []\nowner: me\n",
            "a.yaml:3:1: unknown key 'owner' (expected: service or rules)"),
        broken(
            "service: a\nservice: b\nrules: []\n",
            "a.yaml:2:1: duplicate key 'service' (first on line 1, column 1)"),
        broken(
            rule("limit: 5/s\n    limit: 6/s"),
            "a.yaml:5:5: duplicate key 'limit' (first on line 4, column 5)"),
        broken(
            rule("limt: 5/s"),
            "a.yaml:4:5: unknown key 'limt' " + RULE_KEYS + "; did you mean 'limit'?)"),
        broken(
            rule("limit: 5/s\n    behaviour: deny"),
            "a.yaml:5:5: unknown key 'behaviour' " + RULE_KEYS + "; did you mean 'behavior'?)"),
        broken(
            rule("limit: 5/s\n    Scope: zone"),
            "a.yaml:5:5: unknown key 'Scope' " + RULE_KEYS + "; did you mean 'scope'?)"),
        broken(
            rule("limit: 5/s\n    mtach: {}"),
            "a.yaml:5:5: unknown key 'mtach' " + RULE_KEYS + "; did you mean 'match'?)"),
        broken(
            rule("limit: 5/s\n    comment: hi"),
            "a.yaml:5:5: unknown key 'comment' " + RULE_KEYS + ")"),
        broken(
            rule("limit: 5/s\n    match: { callers: x }"),
            "a.yaml:5:14: unknown key 'callers' (expected: caller or procedure; did you mean"
                + " 'caller'?)"),
        broken(rule("limit: 5/s\n    ? [a]\n    : b"), "a.yaml:5:7: found a list as a key"),
        broken(
            rule("per: caller"),
            "a.yaml:3:5: a rule without limit (expected: limit, a rate such as 5000/s)"),
        broken(
            "service: a\nrules:\n  - limit: 5/s\n",
            "a.yaml:3:5: a rule without name (expected: name, unique in its service)"),
        broken(
            "service: a\nrules:\n  - { name: r, limit: 5/s }\n  - { name: r, limit: 6/s }\n",
            "a.yaml:4:13: duplicate rule name 'r' (first on line 3, column 13)"));
  }

  static Stream<Arguments> values() {
    String pattern = "(expected: a name, or a prefix that ends in the only '*')";
    String ascii = "(expected: 1 to 512 printable ASCII characters)";
    return Stream.of(
        broken(
            "service:\nrules:\n",
            "a.yaml:1:9: service: found nothing (expected: a name)",
            "a.yaml:2:7: rules: found nothing (expected: a list of rules)"),
        broken(
            "service: [a]\nrules: []\n", "a.yaml:1:10: service: found a list (expected: a name)"),
        broken("service: a b\nrules: []\n", "a.yaml:1:10: service: found 'a b' " + IDENTIFIER),
        broken("service: a|b\nrules: []\n", "a.yaml:1:10: service: found 'a|b' " + IDENTIFIER),
        broken("service: ''\nrules: []\n", "a.yaml:1:10: service: found '' " + IDENTIFIER),
        broken("service: naïve\nrules: []\n", "a.yaml:1:10: service: found 'naïve' " + IDENTIFIER),
        broken(
            "service: \"a\\tb\"\nrules: []\n",
            "a.yaml:1:10: service: found 'a\\u{9}b' " + IDENTIFIER),
        broken(
            "service: " + "s".repeat(129) + "\nrules: []\n",
            "a.yaml:1:10: service: found '" + "s".repeat(60) + "...' " + IDENTIFIER),
        broken(
            "service: a\nrules:\n  r: 5/s\n",
            "a.yaml:3:3: rules: found a mapping (expected: a list of rules)"),
        broken(
            "service: a\nrules:\n  - r\n  - [r]\n",
            "a.yaml:3:5: rules: found 'r' (expected: a rule, a mapping with name and limit)",
            "a.yaml:4:5: rules: found a list (expected: a rule, a mapping with name and limit)"),
        broken(
            "service: a\nrules: [{ name: a b, limit: 5/s }]\n",
            "a.yaml:2:17: name: found 'a b' " + IDENTIFIER),
        broken(
            rule("limit: 5000"),
            "a.yaml:4:12: limit: '5000' has no unit (expected: a rate such as 5000/s)"),
        broken(
            rule("limit: 5/s\n    criticality: 6\n    sampler: even\n    whenCutOff: opn"),
            "a.yaml:5:18: criticality: found '6' (expected: 0, which is shed last, to 5, which is"
                + " shed first)",
            "a.yaml:6:14: sampler: found 'even' (expected: auto, independent or stratified)",
            "a.yaml:7:17: whenCutOff: found 'opn' (expected: share or open; did you mean"
                + " 'open'?)"),
        broken(
            rule("limit: 5/s\n    surgeGuard: 1.4"),
            "a.yaml:5:17: surgeGuard: found '1.4' (expected: off, or a factor from 1.5 to 10)"),
        broken(
            rule("limit: 5/s\n    surgeGuard: 10.1"),
            "a.yaml:5:17: surgeGuard: found '10.1' (expected: off, or a factor from 1.5 to 10)"),
        broken(
            rule("limit: 5/s\n    surgeGuard: on"),
            "a.yaml:5:17: surgeGuard: found 'on' (expected: off, or a factor from 1.5 to 10)"),
        broken(
            rule("limit: 5/s\n    surgeGuard: [2]\n    criticality:"),
            "a.yaml:5:17: surgeGuard: found a list (expected: off, or a factor from 1.5 to 10)",
            "a.yaml:6:17: criticality: found nothing (expected: 0, which is shed last, to 5, which"
                + " is shed first)"),
        broken(
            rule("limit: 5/d"),
            "a.yaml:4:12: limit: '5/d' has the unknown unit 'd' (expected: s, min or h)"),
        broken(
            rule("limit: -5/s"), "a.yaml:4:12: limit: '-5/s' is negative (expected: 0/s or more)"),
        broken(
            rule("limit: 2000000M/s"),
            "a.yaml:4:12: limit: '2000000M/s' is too large (expected: at most 1000000M/s)"),
        broken(
            rule("limit: fast"),
            "a.yaml:4:12: limit: 'fast' is no rate (expected: a rate such as 5000/s, 1.5k/s or"
                + " 300/min)"),
        broken(
            rule("limit: " + "9".repeat(200)),
            "a.yaml:4:12: limit: found '"
                + "9".repeat(60)
                + "...' (expected: a rate such as 5000/s)"),
        broken(
            rule("limit: [5/s]"),
            "a.yaml:4:12: limit: found a list (expected: a rate such as 5000/s)"),
        broken(
            rule("limit:"), "a.yaml:4:11: limit: found nothing (expected: a rate such as 5000/s)"),
        broken(
            rule("limit: 5/s\n    limits: 6/s"),
            "a.yaml:5:13: limits: found '6/s' (expected: a mapping from regions or zones to"
                + " rates)"),
        broken(
            rule("limit: 5/s\n    limits: { eu: 6, us: 5/s, eu: 7/s, 'a b': 1/s }"),
            "a.yaml:5:19: limits.eu: '6' has no unit (expected: a rate such as 6/s)",
            "a.yaml:5:31: duplicate key 'eu' (first on line 5, column 15)",
            "a.yaml:5:40: found 'a b' as a key " + IDENTIFIER),
        broken(
            rule("limit: 5/s\n    match: checkout"),
            "a.yaml:5:12: match: found 'checkout' (expected: a mapping with caller, procedure or"
                + " both)"),
        broken(
            rule("limit: 5/s\n    match:"),
            "a.yaml:5:11: match: found nothing (expected: a mapping with caller, procedure or"
                + " both)"),
        broken(
            rule("limit: 5/s\n    match: { caller: a*b, procedure: '*x' }"),
            "a.yaml:5:22: match.caller: found 'a*b' " + pattern,
            "a.yaml:5:38: match.procedure: found '*x' " + pattern),
        broken(
            rule("limit: 5/s\n    match: { caller: }"),
            "a.yaml:5:21: match.caller: found nothing " + pattern),
        broken(
            rule("limit: 5/s\n    match: { caller: naïve, procedure: ' x' }"),
            "a.yaml:5:22: match.caller: found 'naïve' " + ascii,
            "a.yaml:5:40: match.procedure: found ' x' " + ascii),
        broken(
            rule("limit: 5/s\n    per: [caler, procedure, procedure]"),
            "a.yaml:5:11: per: found 'caler' (expected: caller or procedure; did you mean"
                + " 'caller'?)",
            "a.yaml:5:29: per: found 'procedure' twice"),
        broken(
            rule("limit: 5/s\n    per: []"),
            "a.yaml:5:10: per: found an empty list (expected: caller, procedure or both)"),
        broken(
            rule("limit: 5/s\n    per: { caller: true }"),
            "a.yaml:5:10: per: found a mapping (expected: caller or procedure)"),
        broken(
            rule("limit: 5/s\n    scope: globl"),
            "a.yaml:5:12: scope: found 'globl' (expected: global, region or zone; did you mean"
                + " 'global'?)"),
        broken(
            rule("limit: 5/s\n    scope: world"),
            "a.yaml:5:12: scope: found 'world' (expected: global, region or zone)"),
        broken(
            rule("limit: 5/s\n    behavior: Deny"),
            "a.yaml:5:15: behavior: found 'Deny' (expected: deny or allow; did you mean 'deny'?)"),
        broken(
            rule("limit: 5/s\n    behavior: [deny]"),
            "a.yaml:5:15: behavior: found a list (expected: deny or allow)"));
  }

  static Stream<Arguments> syntax() {
    return Stream.of(
        broken(
            "service: a\nrules:\n\t- name: r\n",
            "a.yaml:3:1: not valid YAML: found character '\\t(TAB)' that cannot start any token."
                + " (Do not use \\t(TAB) for indentation), while scanning for the next token"),
        broken(
            "service: a: b\n", "a.yaml:1:11: not valid YAML: mapping values are not allowed here"),
        broken(
            "service: 'a\nrules: []\n",
            "a.yaml:3:1: not valid YAML: found unexpected end of stream, while scanning a quoted"
                + " scalar begun on line 1"),
        broken(
            "service: a\nrules:\n  - { name: r, limit: 5/s\n",
            "a.yaml:4:1: not valid YAML: expected ',' or '}', but got <stream end>, while parsing a"
                + " flow mapping begun on line 3"),
        broken(
            rule("match: { caller: *, procedure: x }"),
            "a.yaml:4:23: not valid YAML: unexpected character found ,(44), while scanning an alias"
                + " begun on line 4 (a name that begins with '*' needs quotes)"),
        broken(
            rule("limit: *few"),
            "a.yaml:4:12: not valid YAML: found undefined alias few (a name that begins with '*'"
                + " needs quotes)"),
        broken(
            "%YAML 3.0\n---\nservice: a\nrules: []\n",
            "a.yaml:1:1: not valid YAML: found version 3.0 (expected: 1.2)"),
        broken(
            "service: \"a\u0007\"\n", "a.yaml:1:12: the character U+0007 is not allowed in YAML"),
        broken(
            "service: a\nrule: []\n---\nservice: [\n",
            "a.yaml:2:1: unknown key 'rule' (expected: service or rules; did you mean 'rules'?)",
            "a.yaml:5:1: not valid YAML: expected the node content, but found '<stream end>', while"
                + " parsing a flow node begun on line 5"),
        broken("[".repeat(100_000), "a.yaml:1:33: not valid YAML: more than 32 levels of nesting"),
        broken(
            "service: a\nrules:\n" + "- ".repeat(100_000),
            "a.yaml:3:63: not valid YAML: more than 32 levels of nesting"));
  }

  @Test
  void reportsAllMistakesOfAFileAtOnceInTheOrderOfTheFile() {
    String yaml =
        """
        service: pay ments
        rules:
          - name: a
            mach: { caller: checkout }
            limit: 5000
            scope: globl
          - name: a
            limit: -5/s
            match: { caller: a*b }
        """;

    assertThat(RuleCodec.read("a.yaml", yaml.getBytes(UTF_8)).problems())
        .extracting(FileProblem::toString)
        .containsExactly(
            "a.yaml:1:10: service: found 'pay ments' " + IDENTIFIER,
            "a.yaml:4:5: unknown key 'mach' " + RULE_KEYS + "; did you mean 'match'?)",
            "a.yaml:5:12: limit: '5000' has no unit (expected: a rate such as 5000/s)",
            "a.yaml:6:12: scope: found 'globl' (expected: global, region or zone; did you mean"
                + " 'global'?)",
            "a.yaml:7:11: duplicate rule name 'a' (first on line 3, column 11)",
            "a.yaml:8:12: limit: '-5/s' is negative (expected: 0/s or more)",
            "a.yaml:9:22: match.caller: found 'a*b' (expected: a name, or a prefix that ends in"
                + " the only '*')");
  }

  @Test
  void countsWhatItLeavesOutBeyondAHundredMistakes() {
    StringBuilder yaml = new StringBuilder("service: a\nrules:\n");
    for (int i = 0; i < 250; i++) {
      yaml.append("  - { name: r").append(i).append(", limit: 5 }\n");
    }

    List<FileProblem> problems =
        RuleCodec.read("a.yaml", yaml.toString().getBytes(UTF_8)).problems();

    assertThat(problems).hasSize(101);
    assertThat(problems.get(100)).hasToString("a.yaml:102:25: and 150 problems more");
  }

  @Test
  void refusesTextThatIsNotUtf8() {
    byte[] latin1 = "service: a\nrules: [] # naïve\n".getBytes(ISO_8859_1);
    byte[] utf16 = "service: a\n".getBytes(UTF_16);

    assertThat(RuleCodec.read("a.yaml", latin1).problems())
        .extracting(FileProblem::toString)
        .containsExactly("a.yaml:2:15: the byte 0xEF is not UTF-8 text");
    assertThat(RuleCodec.read("a.yaml", utf16).problems())
        .extracting(FileProblem::toString)
        .containsExactly("a.yaml:1:1: the byte 0xFE is not UTF-8 text");
  }

  @Test
  void refusesAFileThatIsTooLarge() {
    byte[] comment = "#".repeat(4 * 1024 * 1024 + 1).getBytes(UTF_8);

    assertThat(RuleCodec.read("a.yaml", comment).problems())
        .extracting(FileProblem::toString)
        .containsExactly("a.yaml:1:1: the file is too large (expected: at most 4194304 bytes)");
  }

  @Test
  void refusesAliasesThatMultiply() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x]\n");
    for (int i = 1; i < 20; i++) {
      bomb.append("a%d: &a%d [".formatted(i, i));
      bomb.append(("*a" + (i - 1) + ", ").repeat(10)).append("]\n");
    }

    assertThat(RuleCodec.read("a.yaml", bomb.toString().getBytes(UTF_8)).problems())
        .extracting(FileProblem::message)
        .containsExactly(
            "not valid YAML: Number of aliases for non-scalar nodes exceeds the specified max=100");
  }

  @Test
  void isNotCaughtInAListThatHoldsItself() {
    assertThat(RuleCodec.read("a.yaml", "service: a\nrules: &a [*a]\n".getBytes(UTF_8)).problems())
        .extracting(FileProblem::toString)
        .containsExactly(
            "a.yaml:2:8: rules: found a list (expected: a rule, a mapping with name and limit)");
  }

  private static Arguments broken(String yaml, String... problems) {
    return Arguments.of(yaml, List.of(problems));
  }

  private static String rule(String keys) {
    return "service: a\nrules:\n  - name: r\n    " + keys + "\n";
  }
}
