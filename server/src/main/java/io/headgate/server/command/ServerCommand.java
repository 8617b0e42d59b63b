package io.headgate.server.command;

import io.headgate.core.rule.Location;
import io.headgate.server.log.Logging;
import io.headgate.server.run.HeadgateServer;
import io.headgate.server.run.HostPort;
import io.headgate.server.run.Role;
import io.headgate.server.run.ServerSettings;
import io.headgate.server.run.TlsFiles;
import io.headgate.server.terminal.UserError;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate server}: runs one or more roles until it is told to end. */
@Command(
    name = "server",
    description = {
      "Run one or more roles of the control plane.",
      "",
      "Prints one line 'ready: grpc HOST:PORT http HOST:PORT' on standard output once it serves,"
          + " with ' envoy HOST:PORT' for the role envoy, and logs on standard error. SIGTERM ends it after the last counts have left. Each"
          + " option may also be given by an environment variable: HEADGATE_REPORT_INTERVAL for"
          + " --report-interval.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    defaultValueProvider = EnvironmentDefaults.class,
    sortOptions = false,
    abbreviateSynopsis = true,
    footer = {
      "",
      "Examples:",
      "  Everything for one zone in one process, rules from ./rules:",
      "    headgate server --role aggregator,controller --region eu --zone eu-1 \\",
      "        --rules rules",
      "",
      "  A controller, and an aggregator that follows it:",
      "    headgate server --role controller --region eu --rules rules",
      "    headgate server --role aggregator --region eu --zone eu-1 \\",
      "        --controllers 127.0.0.1:7070 \\",
      "        --listen 127.0.0.1:7080 --http 127.0.0.1:7081",
      "",
      "  Everything for one zone, with Envoy proxies as clients:",
      "    headgate server --role aggregator,controller,envoy --region eu --zone eu-1 \\",
      "        --rules rules",
      "",
      "  Limits that follow from what Prometheus has, beside a controller:",
      "    headgate server --role controller,configurator --region eu --rules rules \\",
      "        --configurator-config configurator.yaml",
      "",
      "  Reachable from other machines, with mutual TLS:",
      "    headgate server --role controller --region eu --rules rules \\",
      "        --listen 0.0.0.0:7070 --peers us-ctl:7070 \\",
      "        --tls-cert tier.pem --tls-key tier.key --tls-ca ca.pem",
    })
public final class ServerCommand implements Callable<Integer> {

  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(50);
  private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(1);

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--role",
      required = true,
      split = ",",
      paramLabel = "ROLE",
      description =
          "What this process does: ${COMPLETION-CANDIDATES}; several with commas between them.")
  private Set<Role> roles = EnumSet.noneOf(Role.class);

  @Option(
      names = "--id",
      paramLabel = "ID",
      description =
          "Name of this process, unique in its region and the same after a restart. Default: host"
              + " name and port of --listen.")
  private @Nullable String id;

  @Option(names = "--region", required = true, paramLabel = "NAME", description = "Its region.")
  private String region;

  @Option(
      names = "--zone",
      paramLabel = "NAME",
      description = "Its zone, unique over all regions. Needed by the roles aggregator and envoy.")
  private @Nullable String zone;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:7070",
      converter = HostPortConverter.class,
      description =
          "Where agents and other tiers connect to (gRPC). Port 0: any free port. Default:"
              + " ${DEFAULT-VALUE}.")
  private HostPort listen;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:7071",
      converter = HostPortConverter.class,
      description =
          "Where /metrics, /healthz, /readyz and /status are. Port 0: any free port. Default:"
              + " ${DEFAULT-VALUE}.")
  private HostPort http;

  @Option(
      names = "--controllers",
      split = ",",
      paramLabel = "HOST:PORT",
      converter = HostPortConverter.class,
      description =
          "Aggregator: the controllers of its region. Default: the controller in the same"
              + " process.")
  private List<HostPort> controllers = List.of();

  @Option(
      names = "--envoy",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:18000",
      converter = HostPortConverter.class,
      description =
          "Role envoy: where Envoy proxies connect to (gRPC). Port 0: any free port. Default:"
              + " ${DEFAULT-VALUE}.")
  private HostPort envoy;

  @Option(
      names = "--aggregators",
      split = ",",
      paramLabel = "HOST:PORT",
      converter = HostPortConverter.class,
      description =
          "Role envoy: the aggregators of its zone. Default: the aggregator in the same process.")
  private List<HostPort> aggregators = List.of();

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "HOST:PORT",
      converter = HostPortConverter.class,
      description = "Controller: the controllers of all other regions.")
  private List<HostPort> peers = List.of();

  @Option(
      names = "--rules",
      paramLabel = "DIR",
      description =
          "Controller and configurator: the directory of rule files (*.yaml); it is watched.")
  private @Nullable Path rules;

  @Mixin private ConfiguratorOptions configurator;

  @Option(
      names = "--expect-aggregators",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Controller: how many aggregators report to it; one that has just started sends no"
              + " directives before it has heard 90 %% of them, or for 5 s. 0: not known. Default:"
              + " ${DEFAULT-VALUE}.")
  private int expectedAggregators;

  @Option(
      names = "--report-interval",
      paramLabel = "DURATION",
      defaultValue = "1s",
      converter = DurationConverter.class,
      description =
          "How often sums go up and drop ratios are computed, 50ms to 1m. Default:"
              + " ${DEFAULT-VALUE}.")
  private Duration reportInterval;

  @Option(
      names = "--ttl",
      paramLabel = "DURATION",
      defaultValue = "5s",
      converter = DurationConverter.class,
      description =
          "How long drop ratios hold when the control plane is gone, twice --report-interval at"
              + " least. Default: ${DEFAULT-VALUE}.")
  private Duration timeToLive;

  @Option(
      names = "--release-ramp",
      paramLabel = "DURATION",
      defaultValue = "10s",
      converter = DurationConverter.class,
      description =
          "Controller: the release ramp of the agents, by which it reckons what those of a lost"
              + " zone let pass. Default: ${DEFAULT-VALUE}.")
  private Duration releaseRamp;

  @Option(
      names = "--log",
      paramLabel = "FORM",
      defaultValue = "text",
      description = "Form of the log: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Logging.Form log;

  @Mixin private TlsOptions tls;

  @Option(
      names = "--insecure",
      description =
          "Allow ports that other machines can reach, and connections to them, without mutual TLS.")
  private boolean insecure;

  @Option(
      names = "--exit-with-parent",
      description = "End when standard input ends, as it does when the parent process is gone.")
  private boolean exitWithParent;

  @Override
  public Integer call() throws InterruptedException {
    ServerSettings settings = settings();
    Logging.start(log);
    Termination termination = Termination.onSignal();
    int exitCode = UserError.FAILED;
    try {
      if (exitWithParent) {
        termination.onEndOf(System.in);
      }
      HeadgateServer server = HeadgateServer.start(settings);
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          "ready: grpc "
              + server.grpcAddress()
              + " http "
              + server.httpAddress()
              + (server.envoyAddress() == null ? "" : " envoy " + server.envoyAddress()));
      out.flush();
      termination.await();
      server.drain();
      exitCode = 0;
    } finally {
      termination.finished(exitCode);
    }
    return exitCode;
  }

  /** The settings, checked. */
  ServerSettings settings() {
    boolean aggregates = roles.contains(Role.AGGREGATOR);
    boolean controls = roles.contains(Role.CONTROLLER);
    boolean proxies = roles.contains(Role.ENVOY);
    name("--region", region);
    if (aggregates || proxies) {
      name("--zone", needed("--zone", zone, "the zone's name, for the roles aggregator and envoy"));
    }
    if (aggregates) {
      if (!controls && controllers.isEmpty()) {
        throw UserError.usage(
            "--controllers: missing (expected: the controllers of region '"
                + region
                + "' as host:port, or the role controller in this process)");
      }
    }
    if (proxies && !aggregates && aggregators.isEmpty()) {
      throw UserError.usage(
          "--aggregators: missing (expected: the aggregators of the zone as host:port, or the role"
              + " aggregator in this process)");
    }
    boolean configures = roles.contains(Role.CONFIGURATOR);
    if (controls || configures) {
      Path directory =
          needed(
              "--rules",
              rules,
              "the directory of rule files, for the roles controller and configurator");
      if (!Files.isDirectory(directory)) {
        throw UserError.usage("--rules: '" + directory + "' (expected: a directory that exists)");
      }
    }
    if (expectedAggregators < 0) {
      throw UserError.usage(
          "--expect-aggregators: " + expectedAggregators + " (expected: 0 or more)");
    }
    checkTimes();
    @Nullable TlsFiles files = tls.files();
    checkExposure(files != null && files.authority() != null);
    return new ServerSettings(
        roles,
        id == null ? defaultId() : name("--id", id),
        System.currentTimeMillis(),
        new Location(region, zone == null ? "" : zone),
        listen,
        http,
        texts(controllers),
        envoy,
        texts(aggregators),
        texts(peers),
        rules,
        expectedAggregators,
        reportInterval,
        timeToLive,
        releaseRamp,
        files,
        configures && rules != null ? configurator.settings(rules) : null);
  }

  private void checkTimes() {
    if (reportInterval.compareTo(SHORTEST_INTERVAL) < 0
        || reportInterval.compareTo(LONGEST_INTERVAL) > 0) {
      throw UserError.usage(
          "--report-interval: " + reportInterval.toMillis() + " ms (expected: 50ms to 1m)");
    }
    if (timeToLive.compareTo(reportInterval.multipliedBy(2)) < 0) {
      throw UserError.usage(
          "--ttl: "
              + timeToLive.toMillis()
              + " ms (expected: twice --report-interval at least, that is "
              + reportInterval.multipliedBy(2).toMillis()
              + " ms)");
    }
  }

  /** Whoever can send reports can make others be limited; so strangers must not be able to. */
  private void checkExposure(boolean mutualTls) {
    if (mutualTls || insecure) {
      return;
    }
    reachable("--listen", listen);
    reachable("--http", http);
    if (roles.contains(Role.ENVOY)) {
      reachable("--envoy", envoy);
    }
    aggregators.forEach(address -> reachable("--aggregators", address));
    controllers.forEach(address -> reachable("--controllers", address));
    peers.forEach(address -> reachable("--peers", address));
  }

  private static void reachable(String option, HostPort address) {
    if (!address.isLoopback()) {
      throw UserError.usage(
          option
              + ": "
              + address
              + " leaves this machine without mutual TLS (expected: --tls-cert, --tls-key and"
              + " --tls-ca, or a loopback address, or --insecure to allow it)");
    }
  }

  private String defaultId() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = listen.host();
    }
    String suffix = listen.port() == 0 ? "pid" + ProcessHandle.current().pid() : "" + listen.port();
    return host + "-" + suffix;
  }

  private static String name(String option, String value) {
    if (!value.matches("[!-~]{1,128}")) {
      throw UserError.usage(
          option + ": '" + value + "' (expected: 1 to 128 printable characters without spaces)");
    }
    return value;
  }

  private static <T> T needed(String option, @Nullable T value, String expected) {
    if (value == null) {
      throw UserError.usage(option + ": missing (expected: " + expected + ")");
    }
    return value;
  }

  private static List<String> texts(List<HostPort> addresses) {
    return addresses.stream().map(HostPort::toString).toList();
  }
}
