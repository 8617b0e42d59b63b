package io.headgate.envoy.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.envoy.stage.Stage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code -Dheadgate.golden.update=true} writes the files of the examples anew, for a person to read
 * before they are committed.
 */
class EnvoyBootstrapTest {

  private static final Path GOLDEN =
      Path.of("src", "test", "resources", "io", "headgate", "envoy", "bootstrap");

  @ParameterizedTest
  @EnumSource(Example.class)
  void theExamplesAreAsTheyWereRead(Example example) throws IOException {
    Path file = GOLDEN.resolve(example.file());
    String yaml = example.bootstrap().toYaml();
    if (Boolean.getBoolean("headgate.golden.update")) {
      Files.writeString(file, yaml);
    }
    assertThat(yaml).isEqualTo(Files.readString(file));
  }

  @Test
  void onlyTheStagesAskedForAreThereAndInTheirOrder() {
    String yaml = builder().stages(EnumSet.of(Stage.SERVICE, Stage.PAIR)).build().toYaml();

    assertThat(yaml.lines().filter(line -> line.contains("- name: headgate.key.")))
        .map(String::strip)
        .containsExactly("- name: headgate.key.pair", "- name: headgate.key.service");
    assertThat(yaml).contains("stages: [pair, service]");
  }

  @Test
  void withoutStagesItOnlyCounts() {
    String yaml = builder().stages(Set.of()).build().toYaml();

    assertThat(yaml).doesNotContain("HTTPFault").contains("name: rq").contains("stages: []");
  }

  @ParameterizedTest
  @CsvSource({
    "*, false, *, false, SERVICE",
    "checkout, false, *, false, CALLER",
    "check*, false, *, false, CALLER",
    "*, true, *, false, CALLER",
    "*, false, a.B/C, false, PROCEDURE",
    "*, false, a.B/*, true, PROCEDURE",
    "*, false, *, true, PROCEDURE",
    "checkout, false, a.B/C, false, PAIR",
    "*, true, a.B/*, false, PAIR",
    "checkout, false, *, true, PAIR",
    "*, true, *, true, PAIR",
  })
  void theShapeOfARuleTellsItsStage(
      String caller, boolean perCaller, String procedure, boolean perProcedure, Stage stage) {
    Rule rule =
        new Rule(
            "r",
            NamePattern.of(caller),
            NamePattern.of(procedure),
            perCaller,
            perProcedure,
            Rate.perSecond(10),
            Map.of(),
            Scope.GLOBAL,
            Behavior.DENY);

    assertThat(Stage.of(rule)).isEqualTo(stage);
    assertThat(Stage.of(new ServiceRules("payments", List.of(rule)))).containsExactly(stage);
  }

  @Test
  void aPercentSignInANameIsNoOperatorOfEnvoy() {
    String yaml =
        EnvoyBootstrap.builder("pay%REQ(x)%", "z", localhost(1))
            .callers(CallerSource.fixed("50% \"off\""))
            .build()
            .toYaml();

    assertThat(yaml)
        .contains("value_format: \"pay%%REQ(x)%%\"")
        .contains("value: \"service|pay%%REQ(x)%%\"")
        .contains("cluster: \"pay%REQ(x)%\"")
        .contains("value: \"50%% \\\"off\\\"\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "pay ments", "pay|ments", "zahlung\u00e9n", "a\nb"})
  void aServiceThatRulesCannotNameIsRefused(String service) {
    assertThatThrownBy(() -> EnvoyBootstrap.builder(service, "z", localhost(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("service: '" + service + "' (expected: 1 to 128 printable");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " a", "a ", "a\tb", "caf\u00e9"})
  void aCallerThatAgentsWouldNotKnowIsRefused(String caller) {
    assertThatThrownBy(() -> CallerSource.fixed(caller))
        .hasMessageStartingWith("caller: '" + caller + "' (expected: 1 to 128 printable");
  }

  @ParameterizedTest
  @ValueSource(longs = {49, 7000, 5001, 700, 0})
  void aFlushThatDoesNotFitIntoTheMinuteOfEvictionIsRefused(long millis) {
    assertThatThrownBy(() -> builder().flush(Duration.ofMillis(millis)).build())
        .hasMessage(
            "flush: " + millis + " ms (expected: 50ms to 5s, a whole number of times a minute)");
  }

  @Test
  void callersByCertificateNeedAListenerThatAsksForOne() {
    TlsPaths withoutAuthority = new TlsPaths("a.pem", "a.key", null);

    assertThatThrownBy(
            () -> builder().callers(CallerSource.spiffe()).listenTls(withoutAuthority).build())
        .hasMessageStartingWith("callers by SPIFFE id: the listener does not ask for certificates");
  }

  @Test
  void anEgressEnvoyHasNoCertificateOfItsCaller() {
    assertThatThrownBy(
            () ->
                builder()
                    .direction(Direction.EGRESS)
                    .callers(CallerSource.spiffe())
                    .listenTls(new TlsPaths("a.pem", "a.key", "ca.pem"))
                    .build())
        .hasMessageStartingWith("callers by SPIFFE id: an egress Envoy stands beside its caller");
  }

  @Test
  void anEgressEnvoyBelongsToItsCaller() {
    EnvoyBootstrap.Builder egress = builder().direction(Direction.EGRESS);

    assertThat(egress.callers(CallerSource.fixed("checkout")).build().toYaml())
        .contains("cluster: \"checkout\"\n")
        .contains("services: [\"payments\"]");
    assertThatThrownBy(() -> egress.callers(CallerSource.fixed("check out")).build())
        .hasMessageStartingWith("caller: 'check out' (expected: 1 to 128 printable");
  }

  @Test
  void anEnvoyThatIsTooOldIsRefused() {
    assertThatThrownBy(() -> builder().envoyMinor(36).build())
        .hasMessage("Envoy: 1.36 (expected: 1.37 or newer)");
  }

  @ParameterizedTest
  @CsvSource({
    "GRPC, payments.v1.Payments/Charge, true",
    "GRPC, payments.v1.Payments/, true",
    "GRPC, GET /api, false",
    "HTTP, GET /api/, true",
    "HTTP, GET, true",
    "HTTP, payments.v1.Payments/, false",
    "HTTP, payments, true",
  })
  void aNamingTellsWhetherARuleCanMatch(ProcedureNaming naming, String pattern, boolean can) {
    assertThat(naming.canName(pattern)).isEqualTo(can);
  }

  private static EnvoyBootstrap.Builder builder() {
    return EnvoyBootstrap.builder("payments", "eu-1", localhost(8080));
  }

  private static InetSocketAddress localhost(int port) {
    return InetSocketAddress.createUnresolved("127.0.0.1", port);
  }
}
