package io.headgate.server.command;

import io.headgate.envoy.bootstrap.CallerSource;
import io.headgate.envoy.bootstrap.Direction;
import io.headgate.envoy.bootstrap.EnvoyBootstrap;
import io.headgate.envoy.bootstrap.ProcedureNaming;
import io.headgate.envoy.bootstrap.TlsPaths;
import io.headgate.server.run.HostPort;
import io.headgate.server.terminal.UserError;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code headgate envoy bootstrap}: prints the configuration of an Envoy. */
@Command(
    name = "bootstrap",
    description = {
      "Print the configuration by which an unmodified Envoy limits the calls of a"
          + " service and reports them to Headgate.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    abbreviateSynopsis = true,
    footer = {
      "",
      "Examples:",
      "  Before a service; callers name themselves:",
      "    headgate envoy bootstrap --service payments --zone eu-1 \\",
      "        --upstream 127.0.0.1:8080 --listen 0.0.0.0:10000 --rules rules \\",
      "        >envoy.yaml",
      "    envoy --mode validate -c envoy.yaml && envoy -c envoy.yaml",
      "",
      "  Before a service; callers show certificates:",
      "    headgate envoy bootstrap --service payments --zone eu-1 \\",
      "        --upstream 127.0.0.1:8080 --listen 0.0.0.0:10000 \\",
      "        --caller-from spiffe --listen-tls-cert payments.pem \\",
      "        --listen-tls-key payments.key --listen-tls-ca ca.pem",
      "",
      "  Behind the caller:",
      "    headgate envoy bootstrap --service payments --zone eu-1 \\",
      "        --direction egress --caller-from static=checkout \\",
      "        --upstream payments.internal:8080",
    })
public final class BootstrapCommand implements Callable<Integer> {

  private static final Pattern ENVOY_VERSION = Pattern.compile("1\\.(\\d{1,3})(\\.\\d{1,3})?");
  private static final String STATIC = "static";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--service",
      required = true,
      paramLabel = "NAME",
      description = "The service that is called, as rules name it.")
  private String service;

  @Option(
      names = "--zone",
      required = true,
      paramLabel = "NAME",
      description = "The zone of the Envoy.")
  private String zone;

  @Option(
      names = "--region",
      paramLabel = "NAME",
      description = "The region of the Envoy. Default: not said.")
  private @Nullable String region;

  @Option(
      names = "--upstream",
      required = true,
      paramLabel = "HOST:PORT",
      converter = HostPortConverter.class,
      description = "Where calls go that are not dropped.")
  private HostPort upstream;

  @Option(
      names = "--direction",
      paramLabel = "SIDE",
      defaultValue = "ingress",
      description =
          "ingress: the Envoy stands before the service. egress: it stands behind a caller of it."
              + " Default: ${DEFAULT-VALUE}.")
  private Direction direction;

  @Option(
      names = "--caller-from",
      paramLabel = "SOURCE",
      defaultValue = "header",
      description =
          "Who calls. header: the x-headgate-caller header says it, where callers are trusted to."
              + " spiffe: the caller's certificate; needs --listen-tls-ca. static=NAME: one"
              + " caller, as behind it. static: all callers are 'unknown'. Default:"
              + " ${DEFAULT-VALUE}.")
  private String callerFrom;

  @Option(
      names = "--procedures",
      paramLabel = "FORM",
      defaultValue = "grpc",
      description =
          "How procedures are named. grpc: by the path, package.Service/Method. http: by method and"
              + " path, GET /path. Default: ${DEFAULT-VALUE}.")
  private ProcedureNaming procedures;

  @Option(
      names = "--rules",
      paramLabel = "DIR",
      description =
          "Print only the stages that the service's rules in this directory need. Rules of other"
              + " shapes then need another bootstrap. Default: all stages.")
  private @Nullable Path rules;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:10000",
      converter = HostPortConverter.class,
      description = "Where calls come in. Port 0: any free port. Default: ${DEFAULT-VALUE}.")
  private HostPort listen;

  @Option(
      names = "--admin",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9901",
      converter = HostPortConverter.class,
      description =
          "Where Envoy's admin pages are; a loopback address, since they protect nothing. Port 0:"
              + " any free port. Default: ${DEFAULT-VALUE}.")
  private HostPort admin;

  @Option(
      names = "--headgate",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:18000",
      converter = HostPortConverter.class,
      description = "Where Headgate waits for Envoys. Default: ${DEFAULT-VALUE}.")
  private HostPort headgate;

  @Option(
      names = "--node-id",
      paramLabel = "ID",
      description =
          "Name of this Envoy, unlike that of all others. Default: service, zone, name of this host"
              + " and port of --listen. Envoy's --service-node goes before it.")
  private @Nullable String nodeId;

  @Option(
      names = "--flush",
      paramLabel = "DURATION",
      defaultValue = "1s",
      converter = DurationConverter.class,
      description =
          "How often counts are sent, 50ms to 5s, a whole number of times a minute. Default:"
              + " ${DEFAULT-VALUE}.")
  private Duration flush;

  @Option(
      names = "--envoy-version",
      paramLabel = "VERSION",
      defaultValue = "1.39",
      description =
          "The oldest Envoy that it is for, 1.37 or newer. What is for 1.37 and 1.38, newer ones"
              + " take too, but then never forget a caller or procedure; what is for 1.39, older"
              + " ones refuse. Default: ${DEFAULT-VALUE}.")
  private String envoyVersion;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "Envoy's certificate chain for Headgate, PEM; a path on Envoy's machine.")
  private @Nullable String certificate;

  @Option(names = "--tls-key", paramLabel = "FILE", description = "Private key of --tls-cert, PEM.")
  private @Nullable String key;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description = "Certificates of the authorities that sign Headgate's certificate, PEM.")
  private @Nullable String authority;

  @Option(
      names = "--listen-tls-cert",
      paramLabel = "FILE",
      description = "Certificate chain for those who call, PEM. Turns TLS on for them.")
  private @Nullable String listenCertificate;

  @Option(
      names = "--listen-tls-key",
      paramLabel = "FILE",
      description = "Private key of --listen-tls-cert, PEM.")
  private @Nullable String listenKey;

  @Option(
      names = "--listen-tls-ca",
      paramLabel = "FILE",
      description =
          "Certificates of the authorities that sign the certificates of callers, PEM. Callers must"
              + " show one.")
  private @Nullable String listenAuthority;

  @Option(
      names = "--insecure",
      description = "Allow a connection to Headgate that leaves this machine without mutual TLS.")
  private boolean insecure;

  @Override
  public Integer call() {
    String yaml = bootstrap().toYaml();
    PrintWriter out = spec.commandLine().getOut();
    out.print(yaml);
    out.flush();
    return 0;
  }

  /** The configuration, checked. */
  EnvoyBootstrap bootstrap() {
    if (!admin.isLoopback()) {
      throw UserError.usage(
          "--admin: " + admin + " (expected: a loopback address; the admin pages protect nothing)");
    }
    @Nullable TlsPaths headgateTls = tls("--tls", certificate, key, authority);
    if (headgateTls == null && !headgate.isLoopback() && !insecure) {
      throw UserError.usage(
          "--headgate: "
              + headgate
              + " leaves this machine without mutual TLS (expected: --tls-cert, --tls-key and"
              + " --tls-ca, or a loopback address, or --insecure to allow it)");
    }
    @Nullable TlsPaths listenTls =
        tls("--listen-tls", listenCertificate, listenKey, listenAuthority);
    try {
      EnvoyBootstrap.Builder builder =
          EnvoyBootstrap.builder(service, zone, address(upstream))
              .nodeId(nodeId == null ? defaultNodeId() : nodeId)
              .direction(direction)
              .callers(callers())
              .procedures(procedures)
              .listen(address(listen))
              .admin(address(admin))
              .headgate(address(headgate))
              .flush(flush)
              .envoyMinor(envoyMinor());
      if (region != null) {
        builder.region(region);
      }
      if (rules != null) {
        builder.stages(new RequiredStages(service, procedures).of(rules));
      }
      if (headgateTls != null) {
        builder.headgateTls(headgateTls);
      }
      if (listenTls != null) {
        builder.listenTls(listenTls);
      }
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw UserError.usage(String.valueOf(e.getMessage()));
    }
  }

  private CallerSource callers() {
    if (callerFrom.equals(STATIC) && direction == Direction.EGRESS) {
      throw UserError.usage(
          "--caller-from: 'static' (expected: static=NAME, the service behind this egress Envoy)");
    }
    if (callerFrom.startsWith(STATIC + "=")) {
      return CallerSource.fixed(callerFrom.substring(STATIC.length() + 1));
    }
    return switch (callerFrom) {
      case "header" -> CallerSource.header();
      case "spiffe" -> CallerSource.spiffe();
      case STATIC -> CallerSource.unknown();
      default ->
          throw UserError.usage(
              "--caller-from: '"
                  + callerFrom
                  + "' (expected: header, spiffe, static or static=NAME)");
    };
  }

  private int envoyMinor() {
    Matcher matcher = ENVOY_VERSION.matcher(envoyVersion);
    if (!matcher.matches()) {
      throw UserError.usage(
          "--envoy-version: '" + envoyVersion + "' (expected: such as 1.37 or 1.40.0)");
    }
    return Integer.parseInt(matcher.group(1));
  }

  private static @Nullable TlsPaths tls(
      String option,
      @Nullable String certificate,
      @Nullable String key,
      @Nullable String authority) {
    if (certificate == null || key == null) {
      if (certificate != null || key != null || authority != null) {
        throw UserError.usage(
            option
                + (certificate == null ? "-cert" : "-key")
                + ": missing (expected: "
                + option
                + "-cert and "
                + option
                + "-key together, and "
                + option
                + "-ca only with them)");
      }
      return null;
    }
    return new TlsPaths(certificate, key, authority);
  }

  private String defaultNodeId() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = "host";
    }
    return "%s-%s-%s-%d".formatted(service, zone, host, listen.port());
  }

  /** Not looked up: that is for the Envoy to do. */
  private static InetSocketAddress address(HostPort address) {
    return InetSocketAddress.createUnresolved(address.host(), address.port());
  }
}
