package io.headgate.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.server.run.HostPort;
import io.headgate.server.run.Role;
import io.headgate.server.run.ServerSettings;
import io.headgate.server.run.TlsFiles;
import io.headgate.server.terminal.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ServerCommandTest {

  @TempDir private Path rules;
  private String[] controller = {};
  private String[] aggregator = {};

  @BeforeEach
  void name() {
    controller =
        new String[] {"--role", "controller", "--region", "eu", "--rules", rules.toString()};
    aggregator =
        new String[] {
          "--role", "aggregator", "--region", "eu", "--zone", "eu-1", "--controllers", "[::1]:7070"
        };
  }

  private static ServerSettings parse(String[] base, String... more) {
    return parse(Map.of(), base, more);
  }

  private static ServerSettings parse(
      Map<String, String> environment, String[] base, String... more) {
    List<String> arguments = new ArrayList<>(List.of(base));
    arguments.addAll(List.of(more));
    ServerCommand command = new ServerCommand();
    new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setDefaultValueProvider(new EnvironmentDefaults(environment))
        .parseArgs(arguments.toArray(String[]::new));
    return command.settings();
  }

  @Test
  void aControllerNeedsNoMoreThanARegionAndRules() {
    ServerSettings settings = parse(controller);
    assertThat(settings.roles()).containsExactly(Role.CONTROLLER);
    assertThat(settings.location().region()).isEqualTo("eu");
    assertThat(settings.location().zone()).isEmpty();
    assertThat(settings.grpc()).isEqualTo(new HostPort("127.0.0.1", 7070));
    assertThat(settings.http()).isEqualTo(new HostPort("127.0.0.1", 7071));
    assertThat(settings.reportInterval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(settings.timeToLive()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.tls()).isNull();
    assertThat(settings.id()).endsWith("-7070");
  }

  @Test
  void bothRolesInOneProcessNeedNoControllers() {
    ServerSettings settings =
        parse(controller, "--role", "aggregator", "--zone", "eu-1", "--id", "one");
    assertThat(settings.roles()).containsExactlyInAnyOrder(Role.AGGREGATOR, Role.CONTROLLER);
    assertThat(settings.controllers()).isEmpty();
    assertThat(settings.id()).isEqualTo("one");
  }

  @Test
  void proxiesBesideAnAggregatorNeedAPortAndNothingElse() {
    ServerSettings settings =
        parse(controller, "--role", "aggregator,envoy", "--zone", "eu-1", "--id", "one");
    assertThat(settings.roles())
        .containsExactlyInAnyOrder(Role.AGGREGATOR, Role.CONTROLLER, Role.ENVOY);
    assertThat(settings.envoy()).isEqualTo(new HostPort("127.0.0.1", 18000));
    assertThat(settings.aggregators()).isEmpty();
  }

  @Test
  void proxiesWithoutAnAggregatorNeedToBeToldWhereOneIs() {
    String[] alone = {"--role", "envoy", "--region", "eu", "--zone", "eu-1"};
    assertRefused(() -> parse(alone)).hasMessageStartingWith("--aggregators: missing");
    assertThat(parse(alone, "--aggregators", "127.0.0.1:7070").aggregators())
        .containsExactly("127.0.0.1:7070");
    assertRefused(() -> parse(new String[] {"--role", "envoy", "--region", "eu"}))
        .hasMessageStartingWith("--zone: missing");
  }

  @Test
  void thePortOfProxiesIsNotOpenToOthersWithoutMutualTls() {
    assertRefused(
            () ->
                parse(
                    controller,
                    "--role",
                    "aggregator,envoy",
                    "--zone",
                    "eu-1",
                    "--envoy",
                    "0.0.0.0:18000"))
        .hasMessageStartingWith("--envoy: 0.0.0.0:18000 leaves this machine");
  }

  @Test
  void optionsMayComeFromTheEnvironmentAndTheCommandLineWins() {
    Map<String, String> environment =
        Map.of(
            "HEADGATE_REPORT_INTERVAL", "250ms",
            "HEADGATE_TTL", "9s",
            "HEADGATE_PEERS", "a:1,b:2",
            "HEADGATE_INSECURE", "true",
            "HEADGATE_HELP", "true",
            "HEADGATE_ID", "");
    ServerSettings settings = parse(environment, controller, "--ttl", "3s");
    assertThat(settings.reportInterval()).isEqualTo(Duration.ofMillis(250));
    assertThat(settings.timeToLive()).isEqualTo(Duration.ofSeconds(3));
    assertThat(settings.peers()).containsExactly("a:1", "b:2");
    assertThat(settings.id()).endsWith("-7070");
  }

  @Test
  void aRequiredOptionMayComeFromTheEnvironmentToo() {
    Map<String, String> environment =
        Map.of(
            "HEADGATE_ROLE", "controller",
            "HEADGATE_REGION", "eu",
            "HEADGATE_RULES", rules.toString());
    assertThat(parse(environment, new String[0]).roles()).containsExactly(Role.CONTROLLER);
  }

  @Test
  void whatARoleNeedsIsAskedFor() {
    assertRefused(() -> parse(new String[] {"--role", "controller", "--region", "eu"}))
        .hasMessageStartingWith("--rules: missing");
    assertRefused(() -> parse(controller, "--role", "aggregator"))
        .hasMessageStartingWith("--zone: missing");
    assertRefused(
            () -> parse(new String[] {"--role", "aggregator", "--region", "eu", "--zone", "eu-1"}))
        .hasMessageStartingWith("--controllers: missing")
        .hasMessageContaining("region 'eu'");
  }

  @Test
  void aDirectoryOfRulesHasToExist() {
    String missing = rules.resolve("none").toString();
    assertRefused(
            () ->
                parse(new String[] {"--role", "controller", "--region", "eu", "--rules", missing}))
        .hasMessage("--rules: '" + missing + "' (expected: a directory that exists)");
  }

  @Test
  void aPortThatOthersCanReachNeedsMutualTls() throws Exception {
    assertRefused(() -> parse(controller, "--listen", "0.0.0.0:7070"))
        .hasMessageStartingWith("--listen: 0.0.0.0:7070 leaves this machine without mutual TLS");
    assertRefused(() -> parse(controller, "--http", "192.0.2.1:7071"))
        .hasMessageStartingWith("--http: 192.0.2.1:7071 ");
    assertRefused(() -> parse(controller, "--peers", "192.0.2.1:7070"))
        .hasMessageStartingWith("--peers: 192.0.2.1:7070 ");
    Path pem = Files.writeString(rules.resolve("a.pem"), "");
    String[] certificate = {"--tls-cert", pem.toString(), "--tls-key", pem.toString()};
    assertRefused(() -> parse(controller, with(certificate, "--listen", "0.0.0.0:7070")))
        .hasMessageContaining("--tls-ca");

    assertThat(parse(controller, "--listen", "0.0.0.0:7070", "--insecure").grpc().host())
        .isEqualTo("0.0.0.0");
    assertThat(
            parse(
                    controller,
                    with(certificate, "--tls-ca", pem.toString(), "--listen", "0.0.0.0:7070"))
                .tls())
        .isEqualTo(new TlsFiles(pem, pem, pem));
  }

  @Test
  void tlsFilesComeTogetherAndExist() throws Exception {
    Path pem = Files.writeString(rules.resolve("a.pem"), "");
    assertRefused(() -> parse(controller, "--tls-cert", pem.toString()))
        .hasMessageStartingWith("--tls-key: missing");
    assertRefused(() -> parse(controller, "--tls-ca", pem.toString()))
        .hasMessageStartingWith("--tls-cert: missing");
    assertRefused(
            () -> parse(controller, "--tls-cert", pem.toString(), "--tls-key", "/no/such.key"))
        .hasMessage("--tls-key: '/no/such.key' (expected: a PEM file that can be read)");
  }

  @Test
  void timesHaveBounds() {
    assertRefused(() -> parse(controller, "--report-interval", "49ms"))
        .hasMessage("--report-interval: 49 ms (expected: 50ms to 1m)");
    assertRefused(() -> parse(controller, "--report-interval", "61s"))
        .hasMessageContaining("(expected: 50ms to 1m)");
    assertRefused(() -> parse(controller, "--ttl", "1999ms"))
        .hasMessage("--ttl: 1999 ms (expected: twice --report-interval at least, that is 2000 ms)");
  }

  @Test
  void aValueThatCannotBeReadSaysWhatWasExpected() {
    assertThatThrownBy(() -> parse(controller, "--ttl", "5"))
        .hasMessageContaining("'5' (expected: a whole number with a unit");
    assertThatThrownBy(() -> parse(aggregator, "--controllers", "there"))
        .hasMessageContaining("'there' (expected: host:port, such as 127.0.0.1:7070");
    assertThatThrownBy(() -> parse(controller, "--role", "governor"))
        .hasMessageContaining(
            "one of [AGGREGATOR, CONTROLLER, ENVOY, CONFIGURATOR] (case-insensitive)")
        .hasMessageContaining("'governor'");
  }

  private static String[] with(String[] base, String... more) {
    List<String> all = new ArrayList<>(List.of(base));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ?> assertRefused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable parse) {
    return assertThatThrownBy(parse).isInstanceOf(UserError.class);
  }

  @Test
  void aConfiguratorNeedsRulesAndAConfiguration() throws Exception {
    String[] configurator = {"--role", "configurator", "--region", "eu"};
    assertThatThrownBy(() -> parse(configurator, "--configurator-config", "c.yaml"))
        .hasMessageStartingWith("--rules: missing");
    assertThatThrownBy(() -> parse(configurator, "--rules", rules.toString()))
        .hasMessageStartingWith("--configurator-config: missing");

    ServerSettings settings =
        parse(
            Map.of("HEADGATE_CONFIGURATOR_CONFIG", "c.yaml", "HEADGATE_AUTHOR", "limits <l@x>"),
            configurator,
            "--rules",
            rules.toString());

    assertThat(settings.configurator().config()).isEqualTo(Path.of("c.yaml"));
    assertThat(settings.configurator().author()).isEqualTo("limits <l@x>");
    assertThat(settings.configurator().repository().read().services()).isEmpty();
    assertThat(parse(controller).configurator()).isNull();
  }
}
