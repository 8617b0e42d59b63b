package io.headgate.configurator.run;

import io.headgate.control.rules.repository.RuleRepository;
import io.headgate.core.time.EventLoop;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A service that keeps limits up to date: it computes all of them by a schedule, those of rules
 * that somebody has changed at once, and those that demand has gone away from. Of several over the
 * same rules one at a time does so.
 *
 * <p>It lives on an event loop, which is never blocked for longer than a small file is written;
 * what takes longer is done by a worker.
 */
public final class ConfiguratorLoop {

  private final LoopSettings settings;
  private final EventLoop loop;
  private final Executor worker;
  private final RunProgress progress;
  private final Round round;
  private boolean busy;
  private boolean stopped;

  /**
   * A service that does nothing yet.
   *
   * @param loop where it lives
   * @param worker runs one task at a time, on another thread
   * @param clock the time of day
   */
  public ConfiguratorLoop(
      LoopSettings settings,
      RuleRepository repository,
      Configs configs,
      EventLoop loop,
      Executor worker,
      InstantSource clock,
      MeterRegistry registry) {
    this.settings = settings;
    this.loop = loop;
    this.worker = worker;
    progress = new RunProgress(settings.id(), registry, clock);
    round = new Round(settings, repository, configs, loop, clock, progress);
  }

  /** Begins to look whether there is something to do. */
  public void start() {
    loop.execute(this::look);
  }

  private void look() {
    if (stopped) {
      return;
    }
    if (!busy) {
      busy = true;
      worker.execute(
          () -> {
            try {
              round.look();
            } finally {
              loop.execute(() -> busy = false);
            }
          });
    }
    loop.schedule(settings.lookEvery().toNanos(), this::look);
  }

  /** What it says of itself. */
  public CompletableFuture<ConfiguratorStatus> status() {
    return CompletableFuture.supplyAsync(progress::status, loop::execute);
  }

  /**
   * Ends it. What is computed is broken off, and what is written is written to its end: the worker
   * is done once it has no task any more.
   */
  public void stop() {
    round.breakOff(RunResult.STOPPED);
    loop.execute(() -> stopped = true);
  }
}
