package io.headgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.rule.NamePattern;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ClosestPatternTest {

  @Test
  void aNameStandsForItselfWhereAPatternSpellsItOut() {
    ClosestPattern closest = closest("checkout", "check*", "*");

    assertThat(closest.of("checkout")).isEqualTo("checkout");
    assertThat(closest.of("checker")).isEqualTo("check*");
    assertThat(closest.of("search")).isEqualTo("*");
  }

  @Test
  void theLongestPrefixIsTheClosest() {
    assertThat(closest("a*", "abc*", "ab*").of("abcd")).isEqualTo("abc*");
  }

  @Test
  void withoutPatternsAllNamesAreOneClass() {
    assertThat(closest().of("checkout")).isEqualTo("*");
  }

  @Property
  void aNameAndItsClosestPatternMatchTheSamePatterns(
      @ForAll("patterns") List<String> patterns, @ForAll("names") String name) {
    String stand = closest(patterns.toArray(String[]::new)).of(name);

    for (String pattern : patterns) {
      assertThat(NamePattern.of(pattern).matches(stand))
          .as("%s, %s for %s", pattern, stand, name)
          .isEqualTo(NamePattern.of(pattern).matches(name));
    }
    assertThat(closest(patterns.toArray(String[]::new)).of(stand)).isEqualTo(stand);
  }

  @Provide
  Arbitrary<String> names() {
    return Arbitraries.strings().withChars("ab/").ofMinLength(1).ofMaxLength(5);
  }

  @Provide
  Arbitrary<List<String>> patterns() {
    Arbitrary<String> prefixes =
        Arbitraries.strings().withChars("ab/").ofMaxLength(4).map(prefix -> prefix + "*");
    return Arbitraries.oneOf(names(), prefixes).list().ofMaxSize(6);
  }

  private static ClosestPattern closest(String... patterns) {
    return new ClosestPattern(List.of(patterns).stream().map(NamePattern::of).toList());
  }
}
