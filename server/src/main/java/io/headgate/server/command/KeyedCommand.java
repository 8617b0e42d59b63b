package io.headgate.server.command;

import io.headgate.server.keyed.KeyedServer;
import io.headgate.server.keyed.KeyedSettings;
import io.headgate.server.keyed.VariableFile;
import io.headgate.server.keyed.Variables;
import io.headgate.server.log.Logging;
import io.headgate.server.run.HostPort;
import io.headgate.server.terminal.UserError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code headgate keyed}: runs a node of a cluster until it is told to end. */
@Command(
    name = "keyed",
    description = {
      "Run a node of a cluster that counts keyed limits, with the API of Gubernator.",
      "",
      "It takes the variables of Gubernator (GUBER_GRPC_ADDRESS and so on) from the environment"
          + " and from --config. Prints one line 'ready: grpc HOST:PORT http HOST:PORT' on standard"
          + " output once it serves, and logs on standard error. SIGTERM makes it give its buckets"
          + " and hits away and end.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    abbreviateSynopsis = true,
    footer = {
      "",
      "Examples:",
      "  One node, at localhost:1051 (gRPC) and localhost:1050 (HTTP):",
      "    headgate keyed",
      "    curl localhost:1050/v1/GetRateLimits -d '{\"requests\": [{\"name\": \"transfers\",",
      "        \"unique_key\": \"customer:42\", \"hits\": 1, \"limit\": 10, \"duration\": 60000}]}'",
      "",
      "  Two nodes on one machine:",
      "    headgate keyed --grpc 127.0.0.1:1051 --http 127.0.0.1:1050 \\",
      "        --peers 127.0.0.1:1051,127.0.0.1:2051",
      "    headgate keyed --grpc 127.0.0.1:2051 --http 127.0.0.1:2050 \\",
      "        --peers 127.0.0.1:1051,127.0.0.1:2051",
      "",
      "  In the place of Gubernator, with its file of variables:",
      "    headgate keyed --config gubernator.conf --insecure",
    })
public final class KeyedCommand implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(KeyedCommand.class);

  /** What closing takes beside what the settings say. */
  private static final Duration CLOSE_TIME = Duration.ofSeconds(10);

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A file of variables, KEY=VALUE a line; they win over the environment.")
  private @Nullable Path config;

  @Option(
      names = "--grpc",
      paramLabel = "HOST:PORT",
      description =
          "Where clients and peers connect to; GUBER_GRPC_ADDRESS. Default: localhost:1051.")
  private @Nullable String grpc;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      description = "Where JSON and pages are; GUBER_HTTP_ADDRESS. Default: localhost:1050.")
  private @Nullable String http;

  @Option(
      names = "--peers",
      paramLabel = "HOST:PORT",
      description =
          "All nodes, this one among them, with commas between them; HEADGATE_KEYED_PEERS. Default:"
              + " this node alone.")
  private @Nullable String peers;

  @Option(
      names = "--peers-file",
      paramLabel = "FILE",
      description = "A file with all nodes, one a line; it is watched. HEADGATE_KEYED_PEERS_FILE.")
  private @Nullable String peersFile;

  @Option(
      names = "--log",
      paramLabel = "FORM",
      description = "Form of the log: ${COMPLETION-CANDIDATES}; GUBER_LOG_FORMAT. Default: text.")
  private Logging.@Nullable Form log;

  @Option(names = "--debug", description = "Log more; GUBER_DEBUG.")
  private boolean debug;

  @Option(
      names = "--insecure",
      description =
          "Allow ports that other machines can reach without mutual TLS; HEADGATE_INSECURE.")
  private boolean insecure;

  @Option(
      names = "--exit-with-parent",
      description = "End when standard input ends, as it does when the parent process is gone.")
  private boolean exitWithParent;

  @Override
  public Integer call() throws InterruptedException {
    Variables variables = new Variables(variables());
    Logging.start(form(variables));
    if (debug || variables.flag("GUBER_DEBUG", false)) {
      Logging.debug();
    }
    KeyedSettings settings = KeyedSettings.read(variables);
    checkExposure(settings);
    settings.unknown().forEach(name -> LOG.warn("{} is not known, and has no effect", name));
    settings
        .discovery()
        .unused()
        .forEach(name -> LOG.warn("{} has no effect with this kind of discovery", name));
    return Termination.run(
        () -> running(KeyedServer.start(settings)),
        spec.commandLine().getOut(),
        exitWithParent,
        settings.terminationDelay().plus(settings.drainTime()).plus(CLOSE_TIME));
  }

  private static Termination.Running running(KeyedServer server) {
    return new Termination.Running() {
      @Override
      public String places() {
        return "grpc " + server.grpcAddress() + " http " + server.httpAddress();
      }

      @Override
      public void drain() throws InterruptedException {
        server.drain();
      }
    };
  }

  /** Options win over the file, and the file over the environment. */
  private Map<String, String> variables() {
    Map<String, String> variables = new HashMap<>(System.getenv());
    if (config != null) {
      variables.putAll(VariableFile.read(config));
    }
    put(variables, "GUBER_GRPC_ADDRESS", grpc);
    put(variables, "GUBER_HTTP_ADDRESS", http);
    put(variables, "HEADGATE_KEYED_PEERS", peers);
    put(variables, "HEADGATE_KEYED_PEERS_FILE", peersFile);
    put(variables, "HEADGATE_INSECURE", insecure ? "true" : null);
    return variables;
  }

  private static void put(Map<String, String> variables, String name, @Nullable String value) {
    if (value != null) {
      variables.put(name, value);
    }
  }

  private Logging.Form form(Variables variables) {
    if (log != null) {
      return log;
    }
    return switch (variables.text("GUBER_LOG_FORMAT", "text")) {
      case "text" -> Logging.Form.TEXT;
      case "json" -> Logging.Form.JSON;
      default -> throw variables.invalid("GUBER_LOG_FORMAT", "text or json");
    };
  }

  private static void checkExposure(KeyedSettings settings) {
    boolean mutual = settings.tls() != null && settings.tls().isMutual();
    if (!settings.insecure() && !mutual) {
      reachable("GUBER_GRPC_ADDRESS", settings.grpc());
      reachable("GUBER_HTTP_ADDRESS", settings.http());
    }
  }

  private static void reachable(String name, HostPort address) {
    if (!address.isLoopback()) {
      throw UserError.usage(
          name
              + ": "
              + address
              + " leaves this machine without mutual TLS (expected: GUBER_TLS_CERT, GUBER_TLS_KEY,"
              + " GUBER_TLS_CA and GUBER_TLS_CLIENT_AUTH=require-and-verify, or a loopback address,"
              + " or --insecure to allow it)");
    }
  }
}
