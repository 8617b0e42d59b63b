package io.headgate.envoy.ratelimit.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.status.FileProblem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule files in the form that envoyproxy/ratelimit documents. */
class RuleFilesTest {

  private static RuleFiles.Loaded load(boolean merge, String... files) {
    List<RuleFiles.Source> sources = new ArrayList<>();
    for (int i = 0; i < files.length; i++) {
      sources.add(
          new RuleFiles.Source(
              "file" + (i + 1) + ".yaml", files[i].getBytes(StandardCharsets.UTF_8)));
    }
    return new RuleFiles(LimitCheck.NONE, merge, Set.of("path")).compile(sources);
  }

  private static List<String> problems(String... files) {
    return load(false, files).problems().stream().map(FileProblem::toString).toList();
  }

  @Test
  void everyKeyOfTheFormatIsKnown() {
    RuleFiles.Loaded loaded =
        load(
            false,
            """
            domain: mongo_cps
            descriptors:
              - key: database
                value: users
                shadow_mode: yes
                quota_mode: false
                detailed_metric: True
                value_to_metric: off
                metadata: { team: storage, level: 3, tags: [a, b], on: true, none: null }
                rate_limit:
                  name: users
                  unit: SECOND
                  requests_per_unit: "1_000"
                  algorithm: sliding_window
                  replaces:
                    - name: all
              - key: database
                value: "*_archive"
                share_threshold: true
                rate_limit: { unit: week, requests_per_unit: 0 }
              - key: database
                rate_limit: { unlimited: true }
              - key: source_cluster
                descriptors:
                  - key: destination_cluster
                    rate_limit: { unit: year, requests_per_unit: 4294967295, algorithm: gcra }
            """);

    assertThat(loaded.problems()).isEmpty();
    assertThat(loaded.rules().limits()).isEqualTo(4);
  }

  @Test
  void aMistakeIsToldWithItsPlaceAndWhatWasExpected() {
    assertThat(
            problems(
                """
                domain: shop
                descriptors:
                  - key: user
                    rate_limit:
                      unit: minuet
                      requests_per_unit: 10
                  - key: user
                    rate_limt: { unit: minute, requests_per_unit: 1 }
                  - key: ip
                    value: 10.0.0.1
                    share_threshold: true
                    rate_limit: { unit: day, requests_per_unit: -1 }
                  - value: lost
                """))
        .containsExactly(
            "file1.yaml:5:13: unit: found 'minuet' (expected: second, minute, hour, day, week,"
                + " month or year; did you mean 'minute'?)",
            "file1.yaml:7:10: duplicate descriptor 'shop.user' (first on line 3, column 10)",
            "file1.yaml:8:5: unknown key 'rate_limt' (expected: key, value, rate_limit,"
                + " descriptors, shadow_mode, quota_mode, detailed_metric, value_to_metric,"
                + " share_threshold or metadata; did you mean 'rate_limit'?)",
            "file1.yaml:11:22: share_threshold without a pattern (expected: a value with '*', whose"
                + " matches share)",
            "file1.yaml:12:49: requests_per_unit: found '-1' (expected: a whole number from 0, which"
                + " lets nothing pass, to 4294967295)",
            "file1.yaml:13:5: a descriptor without key (expected: key)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "{unit: minute}!2:36: a rate_limit without requests_per_unit (expected: a whole number from"
            + " 0, which lets nothing pass, to 4294967295)",
        "{requests_per_unit: 1}!2:36: a rate_limit without unit (expected: unit, second, minute,"
            + " hour, day, week, month or year)",
        "{unlimited: true, unit: day}!2:60: unit beside unlimited: true (expected: one of them)",
        "{unit: day, requests_per_unit: 1, name: a, replaces: [{name: a}]}!2:97: replaces: found its"
            + " own name (expected: that of another)",
        "{unit: day, requests_per_unit: 1, algorithm: leaky}!2:81: algorithm: found 'leaky'"
            + " (expected: fixed_window, sliding_window or gcra)",
        "{unit: day, requests_per_unit: 4294967296}!2:67: requests_per_unit: found '4294967296'"
            + " (expected: a whole number from 0, which lets nothing pass, to 4294967295)",
        "5!2:36: rate_limit: found '5' (expected: a mapping with unit and requests_per_unit)",
      })
  void aLimitThatMakesNoSenseIsRefused(String limit, String problem) {
    assertThat(problems("domain: a\ndescriptors: [{key: k, rate_limit: " + limit + "}]"))
        .containsExactly("file1.yaml:" + problem);
  }

  @Test
  void whatCannotBeCountedIsRefusedWhereItStands() {
    RuleFiles files =
        new RuleFiles(
            limit -> {
              throw new IllegalArgumentException(limit.name() + ": too large");
            },
            false,
            Set.of());
    String file =
        "domain: a\ndescriptors: [{key: k, rate_limit: {unit: day, requests_per_unit: 9}}]";
    assertThat(
            files
                .compile(
                    List.of(new RuleFiles.Source("a.yaml", file.getBytes(StandardCharsets.UTF_8))))
                .problems())
        .extracting(FileProblem::toString)
        .containsExactly("a.yaml:2:67: cannot be counted: envoy.day.fixed_window: too large");
  }

  @Test
  void oneDomainIsInOneFileUnlessFilesAreMerged() {
    String users =
        "domain: a\ndescriptors: [{key: u, rate_limit: {unit: day, requests_per_unit: 9}}]";
    String hosts =
        "domain: a\ndescriptors: [{key: h, rate_limit: {unit: day, requests_per_unit: 9}}]";

    assertThat(problems(users, hosts))
        .containsExactly(
            "file2.yaml:1:9: duplicate domain 'a' (first in file1.yaml; expected: one file a domain,"
                + " or MERGE_DOMAIN_CONFIG=true)");
    assertThat(load(true, users, hosts).rules().limits()).isEqualTo(2);
    assertThat(load(true, users, users).problems())
        .extracting(FileProblem::toString)
        .containsExactly(
            "file2.yaml:2:21: duplicate descriptor 'a.u' (first in another file of the domain)");
  }

  @ParameterizedTest
  @CsvSource({
    "a*,     a,      true",
    "a*,     abc,    true",
    "a*,     ba,     false",
    "*,      '',     true",
    "*a*b,   xaybab, true",
    "*a*b,   xayba,  false",
    "/u/*/o, /u/7/o, true",
    "/u/*/o, /u/7/p, false",
    "a**b,   ab,     true",
    "*aab,   aaab,   true",
  })
  void aStarStandsForAnyCharacters(String pattern, String text, boolean matches) {
    assertThat(new Glob(pattern).matches(text)).isEqualTo(matches);
  }
}
