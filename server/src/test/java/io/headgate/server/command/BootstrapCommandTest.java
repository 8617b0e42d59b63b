package io.headgate.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BootstrapCommandTest {

  @TempDir private Path rules;

  private static String yaml(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("--service", "payments", "--zone", "eu-1", "--upstream", "127.0.0.1:8080"));
    arguments.addAll(List.of(more));
    BootstrapCommand command = new BootstrapCommand();
    new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs(arguments.toArray(String[]::new));
    return command.bootstrap().toYaml();
  }

  @Test
  void whatIsSaidIsInTheConfiguration() {
    assertThat(
            yaml(
                "--region", "eu",
                "--listen", "[::1]:0",
                "--admin", "127.0.0.1:1",
                "--headgate", "127.0.0.2:2",
                "--flush", "250ms",
                "--node-id", "a",
                "--procedures", "http",
                "--caller-from", "static=checkout"))
        .contains("locality: { region: \"eu\", zone: \"eu-1\" }")
        .contains("address: \"::1\", port_value: 0 }")
        .contains("address: \"127.0.0.1\", port_value: 1 }")
        .contains("address: \"127.0.0.2\", port_value: 2 }")
        .contains("stats_flush_interval: 0.25s")
        .contains("id: \"a\"")
        .contains("%REQ(:method):16% %PATH(NQ:PATH):256%")
        .contains("value: \"checkout\"");
  }

  @Test
  void aNodeHasAnIdOfItsOwn() {
    assertThat(yaml("--listen", "127.0.0.1:10017"))
        .containsPattern("id: \"payments-eu-1-[^\"]+-10017\"");
  }

  @Test
  void theRulesOfTheServiceTellTheStages() throws IOException {
    rule("payments", "match: { procedure: payments.v1.Payments/Charge }");
    rule("search", "match: { caller: checkout }");

    assertThat(yaml("--rules", rules.toString())).contains("stages: [procedure]");
  }

  @Test
  void rulesThatCannotMatchAreNamed() throws IOException {
    rule("payments", "match: { procedure: GET /api/* }");

    assertThatThrownBy(() -> yaml("--rules", rules.toString()))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "--procedures: by grpc no procedure is named like 'GET /api/*' of rule 'r' (expected:"
                + " --procedures http, or such rules for a service of their own)");
    assertThat(yaml("--rules", rules.toString(), "--procedures", "http"))
        .contains("stages: [procedure]");
  }

  @Test
  void aCallerWithTheSchemeOfItsIdIsRefused() throws IOException {
    rule("payments", "match: { caller: 'spiffe://example.org/checkout' }");

    assertThatThrownBy(() -> yaml("--rules", rules.toString()))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "--rules: no caller is named like 'spiffe://example.org/checkout' of rule 'r'"
                + " (expected: its SPIFFE id without spiffe://)");
  }

  @Test
  void aServiceWithoutRulesIsNamedWithThoseThatHaveSome() throws IOException {
    rule("search", "match: { caller: checkout }");

    assertThatThrownBy(() -> yaml("--rules", rules.toString()))
        .hasMessage("--rules: no service 'payments' in " + rules + " (found: search)");
  }

  @Test
  void mistakesInRulesHaveTheirPlace() throws IOException {
    Files.writeString(rules.resolve("payments.yaml"), "service: payments\nrulez: []\n");

    assertThatThrownBy(() -> yaml("--rules", rules.toString()))
        .hasMessageContaining("payments.yaml:2:1: unknown key 'rulez'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--admin 0.0.0.0:9901; --admin: 0.0.0.0:9901 (expected: a loopback address",
        "--headgate 10.0.0.7:18000; --headgate: 10.0.0.7:18000 leaves this machine without mutual",
        "--caller-from cookie; --caller-from: 'cookie' (expected: header, spiffe, static or",
        "--caller-from spiffe; callers by SPIFFE id: the listener does not ask for certificates",
        "--caller-from static --direction egress; --caller-from: 'static' (expected: static=NAME,",
        "--caller-from static=; caller: '' (expected: 1 to 128 printable ASCII characters",
        "--flush 7s; flush: 7000 ms (expected: 50ms to 5s",
        "--envoy-version 1.36; Envoy: 1.36 (expected: 1.37 or newer)",
        "--envoy-version new; --envoy-version: 'new' (expected: such as 1.37 or 1.40.0)",
        "--tls-cert a.pem; --tls-key: missing (expected: --tls-cert and --tls-key together",
        "--listen-tls-ca a.pem; --listen-tls-cert: missing (expected: --listen-tls-cert and",
        "--tls-cert a --tls-key b; TLS to Headgate: no authority",
        "--rules /nonexistent; --rules: '/nonexistent' (expected: a directory that exists)",
        "--region a|b; region: 'a|b' (expected: 1 to 128 printable",
      })
  void whatDoesNotMakeSenseIsRefusedWithWhatWasExpected(String options, String message) {
    assertThatThrownBy(() -> yaml(options.split(" ", -1)))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith(message);
  }

  private void rule(String service, String match) throws IOException {
    Files.writeString(
        rules.resolve(service + ".yaml"),
        "service: %s\nrules:\n  - { name: r, %s, limit: 10/s }\n".formatted(service, match));
  }
}
