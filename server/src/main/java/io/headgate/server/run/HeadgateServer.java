package io.headgate.server.run;

import io.headgate.control.rules.DirectoryRuleStore;
import io.headgate.protocol.link.ThreadEventLoop;
import io.headgate.server.terminal.UserError;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The composition root: a process with its roles and its ports. */
public final class HeadgateServer {

  private static final Logger log = LoggerFactory.getLogger(HeadgateServer.class);

  /** How often health by gRPC is brought in line with readiness. */
  private static final long HEALTH_INTERVAL_MILLIS = 250;

  private final ThreadEventLoop housekeeping = ThreadEventLoop.start("housekeeping");
  private final PrometheusMeterRegistry metrics =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ProcessMetrics processMetrics = new ProcessMetrics(metrics, BuildInfo.load());
  private final List<RunningRole> roles = new ArrayList<>();
  private final Readiness readiness;
  private final GrpcPort grpc;
  private final HttpPages http;
  private final @Nullable EnvoyPort envoy;
  private final HostPort grpcAddress;
  private final HostPort httpAddress;
  private final @Nullable HostPort envoyAddress;

  private HeadgateServer(ServerSettings settings) {
    String inProcessName = "in-process:" + settings.id();
    Channels channels = new Channels(inProcessName, settings.tls());
    if (settings.roles().contains(Role.CONTROLLER)) {
      Path rules = Objects.requireNonNull(settings.rules(), "a controller has a rules directory");
      roles.add(new ControllerRole(settings, DirectoryRuleStore.open(rules), channels, metrics));
    }
    if (settings.roles().contains(Role.AGGREGATOR)) {
      List<String> controllers =
          settings.controllers().isEmpty() ? List.of(inProcessName) : settings.controllers();
      roles.add(new AggregatorRole(settings, controllers, channels, metrics));
    }
    EnvoyPort envoyPort = null;
    if (settings.roles().contains(Role.ENVOY)) {
      List<String> aggregators =
          settings.aggregators().isEmpty() ? List.of(inProcessName) : settings.aggregators();
      EnvoyRole role = new EnvoyRole(settings, aggregators, channels, metrics);
      roles.add(role);
      envoyPort = new EnvoyPort(settings.envoy(), settings.tls(), role.proxyServices());
    }
    if (settings.configurator() != null) {
      roles.add(new ConfiguratorRole(settings, settings.configurator(), metrics));
    }
    envoy = envoyPort;
    readiness = new Readiness(roles);
    grpc = new GrpcPort(settings.grpc(), inProcessName, settings.tls(), roles);
    grpcAddress = grpc.open();
    try {
      envoyAddress = envoy == null ? null : envoy.open();
      // Roles find one another and other servers while the pages, which take longest, are made.
      roles.forEach(RunningRole::start);
      http = new HttpPages(settings.http(), settings.tls(), roles, readiness, metrics);
      httpAddress = http.open();
    } catch (UserError e) {
      stopRoles();
      closeProxies();
      grpc.close();
      throw e;
    }
  }

  /**
   * Opens the ports and starts the roles.
   *
   * @throws UserError if a port, a file or the like is not as the settings say
   */
  public static HeadgateServer start(ServerSettings settings) {
    HeadgateServer server = new HeadgateServer(settings);
    server.housekeeping.execute(server::updateHealth);
    log.info(
        "{} '{}' in {} {} serves grpc {} http {}{}",
        settings.roles(),
        settings.id(),
        settings.location().region(),
        settings.location().zone(),
        server.grpcAddress,
        server.httpAddress,
        server.envoyAddress == null ? "" : " envoy " + server.envoyAddress);
    return server;
  }

  /** Where agents and other tiers connect to. */
  public HostPort grpcAddress() {
    return grpcAddress;
  }

  /** Where Envoy proxies connect to; null without the role envoy. */
  public @Nullable HostPort envoyAddress() {
    return envoyAddress;
  }

  /** Where the pages are. */
  public HostPort httpAddress() {
    return httpAddress;
  }

  /** Says goodbye and ends, within a few seconds. */
  public void drain() {
    log.info("draining");
    readiness.drain();
    stopRoles();
    closeProxies();
    grpc.close();
    http.close();
    housekeeping.close();
    processMetrics.close();
    metrics.close();
    log.info("ended");
  }

  /** The aggregator before the controller: its last sums are for that, which may be here too. */
  private void stopRoles() {
    for (int i = roles.size() - 1; i >= 0; i--) {
      roles.get(i).stop();
    }
  }

  private void closeProxies() {
    if (envoy != null) {
      envoy.close();
    }
  }

  private void updateHealth() {
    grpc.setServing(readiness.missing().isEmpty());
    housekeeping.schedule(
        TimeUnit.MILLISECONDS.toNanos(HEALTH_INTERVAL_MILLIS), this::updateHealth);
  }
}
