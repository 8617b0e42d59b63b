package io.headgate.control.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RuleCodecPropertyTest {

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void readsWhatItWrote(@ForAll("services") List<ServiceRules> services) {
    String yaml = RuleCodec.write(services);

    ParsedFile file = RuleCodec.read("rules.yaml", yaml.getBytes(UTF_8));

    assertThat(file.problems()).as(yaml).isEmpty();
    assertThat(file.services()).extracting(ParsedFile.Service::rules).isEqualTo(services);
  }

  @Property(tries = 100)
  void neverThrowsWhateverTheBytes(@ForAll byte[] content) {
    ParsedFile file = RuleCodec.read("rules.yaml", content);

    assertThat(file.services().isEmpty()).isNotEqualTo(file.problems().isEmpty());
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void neverThrowsWhateverHappensToAGoodFile(
      @ForAll("services") List<ServiceRules> services,
      @ForAll("place") double place,
      @ForAll("junk") String junk) {
    StringBuilder yaml = new StringBuilder(RuleCodec.write(services));
    int from = (int) (place * yaml.length());
    yaml.replace(from, Math.min(yaml.length(), from + junk.length()), junk);

    ParsedFile file = RuleCodec.read("rules.yaml", yaml.toString().getBytes(UTF_8));

    assertThat(file.problems()).allSatisfy(problem -> assertThat(problem.line()).isPositive());
  }

  @Provide
  Arbitrary<Double> place() {
    return Arbitraries.doubles().between(0, 1);
  }

  @Provide
  Arbitrary<String> junk() {
    return Arbitraries.strings().withChars("{}[]:,-*&!|>'\"%@` \t\n#?~0a/").ofMaxLength(5);
  }

  @Provide
  Arbitrary<List<ServiceRules>> services() {
    Arbitrary<ServiceRules> service =
        Combinators.combine(names(), rule().list().ofMaxSize(4).uniqueElements(Rule::name))
            .as(ServiceRules::new);
    return service.list().ofMinSize(1).ofMaxSize(3).uniqueElements(ServiceRules::service);
  }

  private static Arbitrary<Rule> rule() {
    Arbitrary<Boolean> flag = Arbitraries.of(true, false);
    return Combinators.combine(
            names(),
            patterns(),
            patterns(),
            Combinators.combine(flag, flag).as((caller, procedure) -> List.of(caller, procedure)),
            rates(),
            Arbitraries.maps(names(), rates()).ofMaxSize(3),
            Combinators.combine(
                    Arbitraries.of(Scope.class), Arbitraries.of(Behavior.class), options())
                .as((scope, behavior, options) -> new Rest(scope, behavior, options)))
        .as(
            (name, caller, procedure, per, limit, limits, rest) ->
                new Rule(
                    name,
                    caller,
                    procedure,
                    per.get(0),
                    per.get(1),
                    limit,
                    limits,
                    rest.scope(),
                    rest.behavior(),
                    rest.options()));
  }

  private record Rest(Scope scope, Behavior behavior, RuleOptions options) {}

  private static Arbitrary<RuleOptions> options() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 5),
            Arbitraries.of(Sampler.class),
            Arbitraries.of(WhenCutOff.class),
            Arbitraries.oneOf(
                Arbitraries.of(0.0, 1.5, 2.0, 10.0), Arbitraries.doubles().between(1.5, 10)))
        .as(RuleOptions::new);
  }

  private static Arbitrary<String> names() {
    return Arbitraries.oneOf(
        Arbitraries.strings()
            .withCharRange('!', '{')
            .withChars("}~")
            .ofMinLength(1)
            .ofMaxLength(24),
        Arbitraries.of(
            "null",
            "~",
            "true",
            "y",
            "'",
            "\"",
            "-",
            "---",
            "#",
            ":",
            "a:",
            "1",
            "<<",
            "n".repeat(128)));
  }

  private static Arbitrary<NamePattern> patterns() {
    Arbitrary<String> names =
        Arbitraries.strings()
            .withCharRange(' ', '~')
            .excludeChars('*')
            .ofMinLength(1)
            .ofMaxLength(40)
            .filter(name -> name.equals(name.strip()));
    return Arbitraries.oneOf(
        Arbitraries.just(NamePattern.any()),
        names.map(NamePattern::of),
        names.map(name -> NamePattern.of(name + "*")));
  }

  private static Arbitrary<Rate> rates() {
    return Arbitraries.oneOf(
            Arbitraries.doubles().between(0, 1e12),
            Arbitraries.of(Double.MIN_VALUE, 1e-9, 1.0 / 3, 0.1, 5000.0))
        .map(Rate::perSecond);
  }
}
