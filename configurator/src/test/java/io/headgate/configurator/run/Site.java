package io.headgate.configurator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.configurator.guard.GuardSettings;
import io.headgate.configurator.history.Calendar;
import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.configurator.plan.RuleChoice;
import io.headgate.configurator.policy.Policies;
import io.headgate.configurator.trigger.CronSchedule;
import io.headgate.configurator.trigger.DriftSettings;
import io.headgate.configurator.trigger.RunTriggers;
import io.headgate.control.rules.repository.DirectoryRuleRepository;
import io.headgate.control.rules.repository.RuleRepository;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.time.EventLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Rules of one service in a directory, demand for them, and runners, all in virtual time. */
final class Site {

  /** A Monday. */
  static final Instant START = Instant.parse("2026-03-02T10:00:00Z");

  static final DriftSettings NO_DRIFT =
      new DriftSettings(Duration.ZERO, 0.9, 0.3, 2, Duration.ofHours(1));

  final VirtualTime time = new VirtualTime(START);
  final Demand demand = new Demand();
  final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final Path directory;
  private DriftSettings drift = NO_DRIFT;
  private Duration trialsEvery = Duration.ZERO;
  private boolean enforce = true;

  Site(Path directory) {
    this.directory = directory;
  }

  Site drift(DriftSettings settings) {
    drift = settings;
    return this;
  }

  /** What runs write: candidates for limits. */
  Site candidates() {
    enforce = false;
    return this;
  }

  /** How often limits on trial are looked at; else they never are. */
  Site trialsEvery(Duration duration) {
    trialsEvery = duration;
    return this;
  }

  /** Rules with these limits; the names are those of their callers too. */
  Site rules(Object... namesAndLimits) {
    StringBuilder yaml = new StringBuilder("service: payments\nrules:\n");
    for (int i = 0; i < namesAndLimits.length; i += 2) {
      yaml.append(
          "  - name: %s\n    match: { caller: %s }\n    limit: %s/s\n"
              .formatted(namesAndLimits[i], namesAndLimits[i], namesAndLimits[i + 1]));
    }
    return write(yaml.toString());
  }

  Site write(String yaml) {
    try {
      Files.writeString(directory.resolve("payments.yaml"), yaml);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text() {
    try {
      return Files.readString(directory.resolve("payments.yaml"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  RuleRepository repository() {
    return new DirectoryRuleRepository(directory);
  }

  /** The limit of a rule, and of its candidate after a slash. */
  String limit(String rule) {
    try {
      var found = repository().read().rule("payments", rule);
      assertThat(found).isNotNull();
      var candidate = repository().read().rule("payments", rule + ".candidate");
      return found.limit() + (candidate == null ? "" : " / " + candidate.limit());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ConfiguratorLoop runner(String holder) {
    return runner(holder, repository());
  }

  /** A runner that has been started. */
  ConfiguratorLoop runner(String holder, RuleRepository repository) {
    return runner(holder, repository, time);
  }

  /** The same, whose lease is renewed by timers that may hang. */
  ConfiguratorLoop runner(String holder, RuleRepository repository, EventLoop loop) {
    LoopSettings settings =
        new LoopSettings(
            holder,
            holder,
            "headgate <headgate@localhost>",
            1,
            Duration.ofSeconds(30),
            Duration.ofMinutes(3),
            Duration.ofMinutes(1),
            Duration.ofMinutes(10));
    ConfiguratorLoop runner =
        new ConfiguratorLoop(settings, repository, configs(), loop, time.worker(), time, metrics);
    runner.start();
    return runner;
  }

  ConfiguratorStatus status(ConfiguratorLoop runner) {
    var status = runner.status();
    time.pass(Duration.ZERO);
    return status.join();
  }

  RunReport last(ConfiguratorLoop runner) {
    RunReport last = status(runner).last();
    assertThat(last).isNotNull();
    return last;
  }

  private Configs configs() {
    NamePattern any = NamePattern.any();
    ConfiguratorConfig config =
        new ConfiguratorConfig(
            demand,
            Duration.ofDays(28),
            1800,
            Duration.ofDays(1),
            false,
            Calendar.EMPTY,
            List.of(
                new RuleChoice(
                    any, any, any, any, Policies.load().byDefault(), GuardSettings.DEFAULT, 1)),
            List.of(),
            Map.of(),
            List.of(),
            new RunTriggers(CronSchedule.parse("30 2 * * *"), drift, trialsEvery, enforce));
    return new Configs() {
      @Override
      public ConfiguratorConfig current() {
        return config;
      }

      @Override
      public int problems() {
        return 0;
      }
    };
  }
}
