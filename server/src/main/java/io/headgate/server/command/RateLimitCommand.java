package io.headgate.server.command;

import io.headgate.server.keyed.VariableFile;
import io.headgate.server.log.Logging;
import io.headgate.server.ratelimit.Backend;
import io.headgate.server.ratelimit.RateLimitServer;
import io.headgate.server.ratelimit.RateLimitSettings;
import io.headgate.server.run.HostPort;
import io.headgate.server.terminal.UserError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code headgate ratelimit}: runs the rate limit service until it is told to end. */
@Command(
    name = "ratelimit",
    description = {
      "Run the rate limit service that Envoy's rate limit filter asks, with the rule files of"
          + " envoyproxy/ratelimit.",
      "",
      "It takes the variables of envoyproxy/ratelimit (RUNTIME_ROOT, REDIS_URL and so on) from the"
          + " environment and from --config. Prints one line 'ready: grpc HOST:PORT http HOST:PORT' on"
          + " standard output once it serves, and logs on standard error.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    sortOptions = false,
    abbreviateSynopsis = true,
    subcommands = RateLimitValidateCommand.class,
    footer = {
      "",
      "Examples:",
      "  Counting in this process, at 127.0.0.1:8081 (gRPC) and 127.0.0.1:8080 (HTTP):",
      "    headgate ratelimit --rules config/",
      "    curl localhost:8080/json -d '{\"domain\": \"shop\", \"descriptors\":",
      "        [{\"entries\": [{\"key\": \"user\", \"value\": \"ann\"}]}]}'",
      "",
      "  Several replicas, counting in Redis:",
      "    headgate ratelimit --rules config/ --redis redis.example.com:6379",
      "",
      "  In the place of envoyproxy/ratelimit, with its environment:",
      "    GRPC_HOST=0.0.0.0 HOST=0.0.0.0 headgate ratelimit --insecure",
      "",
      "  Checking rule files before they are used:",
      "    headgate ratelimit validate config/",
    })
public final class RateLimitCommand implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(RateLimitCommand.class);

  /** What draining takes at most. */
  private static final Duration DRAIN_TIME = Duration.ofSeconds(10);

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A file of variables, KEY=VALUE a line; they win over the environment.")
  private @Nullable Path config;

  @Option(
      names = "--rules",
      paramLabel = "DIR",
      description =
          "The directory of rule files (*.yaml); it is watched. HEADGATE_RATELIMIT_RULES. Default:"
              + " RUNTIME_ROOT/RUNTIME_SUBDIRECTORY/RUNTIME_APPDIRECTORY.")
  private @Nullable Path rules;

  @Option(
      names = "--grpc",
      paramLabel = "HOST:PORT",
      description =
          "Where Envoy connects to; HEADGATE_RATELIMIT_GRPC, or GRPC_HOST and GRPC_PORT. Default:"
              + " 127.0.0.1:8081.")
  private @Nullable String grpc;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      description =
          "Where JSON and pages are; HEADGATE_RATELIMIT_HTTP, or HOST and PORT. Default:"
              + " 127.0.0.1:8080.")
  private @Nullable String http;

  @Option(
      names = "--backend",
      paramLabel = "WHERE",
      description =
          "Where requests are counted: ${COMPLETION-CANDIDATES}; HEADGATE_RATELIMIT_BACKEND. A ring"
              + " has the settings of headgate keyed. Default: redis if REDIS_URL is set, else"
              + " local.")
  private @Nullable Backend backend;

  @Option(
      names = "--redis",
      paramLabel = "HOST:PORT",
      description = "Counts in this Redis; REDIS_URL. Default: none.")
  private @Nullable String redis;

  @Option(
      names = "--when-down",
      paramLabel = "POLICY",
      description =
          "What answers while what counts does not: open, closed or local;"
              + " HEADGATE_RATELIMIT_WHEN_DOWN. Default: local.")
  private @Nullable String whenDown;

  @Option(
      names = "--answer-within",
      paramLabel = "DURATION",
      description =
          "How long what counts may take, and up to a quarter more, until --when-down answers;"
              + " HEADGATE_RATELIMIT_ANSWER_WITHIN. Default: 8ms.")
  private @Nullable String answerWithin;

  @Option(names = "--shadow", description = "Refuse nothing; SHADOW_MODE.")
  private boolean shadow;

  @Option(
      names = "--log",
      paramLabel = "FORM",
      description = "Form of the log: ${COMPLETION-CANDIDATES}; LOG_FORMAT. Default: text.")
  private Logging.@Nullable Form log;

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
    Map<String, String> variables = variables();
    Logging.start(form(variables));
    RateLimitSettings settings = RateLimitSettings.read(variables);
    if (settings.debug()) {
      Logging.debug();
    }
    checkExposure(settings);
    settings.withoutEffect().forEach(name -> LOG.warn("{} has no effect here", name));
    settings.unknown().forEach(name -> LOG.warn("{} is not known, and has no effect", name));
    return Termination.run(
        () -> running(RateLimitServer.start(settings)),
        spec.commandLine().getOut(),
        exitWithParent,
        DRAIN_TIME.plus(settings.ring() == null ? Duration.ZERO : settings.ring().drainTime()));
  }

  private static Termination.Running running(RateLimitServer server) {
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
    put(variables, "HEADGATE_RATELIMIT_RULES", rules == null ? null : rules.toString());
    put(variables, "HEADGATE_RATELIMIT_GRPC", grpc);
    put(variables, "HEADGATE_RATELIMIT_HTTP", http);
    put(variables, "REDIS_URL", redis);
    put(variables, "HEADGATE_RATELIMIT_BACKEND", backend == null ? null : backend.name());
    put(variables, "HEADGATE_RATELIMIT_WHEN_DOWN", whenDown);
    put(variables, "HEADGATE_RATELIMIT_ANSWER_WITHIN", answerWithin);
    put(variables, "SHADOW_MODE", shadow ? "true" : null);
    put(variables, "HEADGATE_INSECURE", insecure ? "true" : null);
    return variables;
  }

  private static void put(Map<String, String> variables, String name, @Nullable String value) {
    if (value != null) {
      variables.put(name, value);
    }
  }

  private Logging.Form form(Map<String, String> variables) {
    if (log != null) {
      return log;
    }
    String form = variables.getOrDefault("LOG_FORMAT", "").strip().toLowerCase(Locale.ROOT);
    return switch (form) {
      case "", "text" -> Logging.Form.TEXT;
      case "json" -> Logging.Form.JSON;
      default -> throw UserError.usage("LOG_FORMAT: '" + form + "' (expected: text or json)");
    };
  }

  private static void checkExposure(RateLimitSettings settings) {
    if (settings.insecure()) {
      return;
    }
    if (!settings.tls().isMutual()) {
      reachable("--grpc", settings.grpc());
    }
    reachable("--http", settings.http());
  }

  private static void reachable(String option, HostPort address) {
    if (!address.isLoopback()) {
      throw UserError.usage(
          option
              + ": "
              + address
              + " leaves this machine without mutual TLS (expected: for gRPC GRPC_SERVER_USE_TLS and"
              + " GRPC_CLIENT_TLS_CACERT, or a loopback address, or --insecure to allow it)");
    }
  }
}
