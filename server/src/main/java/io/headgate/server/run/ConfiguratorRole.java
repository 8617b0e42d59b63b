package io.headgate.server.run;

import io.grpc.ServerServiceDefinition;
import io.headgate.configurator.plan.LimitTasks;
import io.headgate.configurator.run.ConfigFile;
import io.headgate.configurator.run.Configs;
import io.headgate.configurator.run.ConfiguratorLoop;
import io.headgate.configurator.run.LoopSettings;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.ThreadEventLoop;
import io.headgate.server.terminal.UserError;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A configurator on a thread, with a worker beside it that reads rates and writes rules. */
final class ConfiguratorRole implements RunningRole {

  private static final Logger log = LoggerFactory.getLogger(ConfiguratorRole.class);

  /** What is written is there long before; what is computed is broken off. */
  private static final long STOP_SECONDS = 5;

  private final ThreadEventLoop loop = ThreadEventLoop.start("configurator");
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "configurator-run");
            thread.setDaemon(true);
            return thread;
          });
  private final Configs configs;
  private final ConfiguratorLoop configurator;

  /**
   * A configurator.
   *
   * @throws UserError if the configuration has mistakes
   */
  ConfiguratorRole(ServerSettings server, ConfiguratorSettings settings, MeterRegistry registry) {
    try {
      configs = ConfigFile.open(settings.config());
    } catch (ConfigFile.InvalidConfigException e) {
      throw UserError.failed(
          "--configurator-config: it has mistakes:\n  "
              + String.valueOf(e.getMessage()).replace("\n", "\n  "));
    }
    configurator =
        new ConfiguratorLoop(
            LoopSettings.of(
                server.id(),
                server.id() + ", started at " + server.epoch(),
                settings.author(),
                LimitTasks.usualThreads()),
            settings.repository(),
            configs,
            loop,
            worker,
            Clock.systemUTC(),
            registry);
  }

  @Override
  public Role role() {
    return Role.CONFIGURATOR;
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public List<ServerServiceDefinition> services() {
    return List.of();
  }

  @Override
  public void start() {
    configurator.start();
  }

  /** It is of use at any time; a source that cannot be read shows in its status and metrics. */
  @Override
  public String missing() {
    return "";
  }

  @Override
  public CompletableFuture<?> status() {
    return configurator.status();
  }

  @Override
  public void stop() {
    configurator.stop();
    worker.shutdown();
    try {
      if (!worker.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        log.warn(
            "limits are still being written after {} s; whoever comes next goes on", STOP_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    configs.close();
    loop.close();
  }
}
