package io.headgate.configurator.plan;

import io.headgate.configurator.guard.Capacity;
import io.headgate.configurator.guard.GuardSettings;
import io.headgate.configurator.guard.Pin;
import io.headgate.configurator.guard.PromotionSettings;
import io.headgate.configurator.history.Calendar;
import io.headgate.configurator.history.CalendarReader;
import io.headgate.configurator.parameters.Parameters;
import io.headgate.configurator.policy.LimitPolicy;
import io.headgate.configurator.policy.Policies;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.source.MetricSource;
import io.headgate.configurator.source.Sources;
import io.headgate.configurator.trigger.RunTriggers;
import io.headgate.control.status.FileProblem;
import io.headgate.control.yaml.Choice;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlDocuments;
import io.headgate.core.rule.NamePattern;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads a configuration and the calendar that it names. */
public final class ConfigReader {

  private static final Choice THROTTLED = new Choice("mask", "use");

  private final Path directory;
  private final Policies policies = Policies.load();
  private final List<FileProblem> problemsElsewhere = new ArrayList<>();
  private final List<Path> files = new ArrayList<>();

  private ConfigReader(Path directory) {
    this.directory = directory;
  }

  /**
   * What was read.
   *
   * @param config null if there are problems
   * @param problems all that is wrong, with its places
   * @param files what it was read from: the configuration, and the calendar that it names
   */
  public record Reading(
      @Nullable ConfiguratorConfig config, List<FileProblem> problems, List<Path> files) {

    public Reading {
      problems = List.copyOf(problems);
      files = List.copyOf(files);
    }
  }

  /** Reads a file. Nothing that it may hold makes this throw. */
  public static Reading read(Path file) {
    Problems problems = new Problems(file.toString());
    Path parent = file.toAbsolutePath().getParent();
    ConfigReader reader = new ConfigReader(parent == null ? Path.of(".").toAbsolutePath() : parent);
    byte[] content = bytes(file, message -> problems.add(1, 1, message));
    List<Node> documents = new YamlDocuments(problems).read(content);
    ConfiguratorConfig config = null;
    if (documents.size() == 1) {
      config = reader.config(Parameters.of(documents.get(0), problems));
    } else if (problems.isEmpty()) {
      problems.add(
          1, 1, "found " + documents.size() + " documents (expected: one, with source and limits)");
    }
    List<FileProblem> all = new ArrayList<>(problems.inOrder());
    all.addAll(reader.problemsElsewhere);
    if (!all.isEmpty() && config != null) {
      config.source().close();
    }
    reader.files.add(file);
    return new Reading(all.isEmpty() ? config : null, all, reader.files);
  }

  private interface Complaint {
    void about(String message);
  }

  private static byte[] bytes(Path file, Complaint complaint) {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      complaint.about("cannot be read: there is no such file");
    } catch (IOException e) {
      complaint.about("cannot be read: " + e.getMessage());
    }
    return new byte[0];
  }

  private @Nullable ConfiguratorConfig config(Parameters file) {
    MetricSource source = source(file);
    Duration history = file.duration("history", Duration.ofDays(28));
    if (history.toDays() < 1 || history.toSeconds() % Series.DAY != 0) {
      file.problem("history", "history: found " + history + " (expected: whole days)");
    }
    Duration step = file.duration("step", Duration.ofMinutes(1));
    if (step.isZero() || step.toDays() > 0 || Series.DAY % step.toSeconds() != 0) {
      file.problem("step", "step: found " + step + " (expected: a time that divides a day)");
    }
    Duration runEvery = file.duration("runEvery", Duration.ofDays(1));
    String throttled = file.word("throttled", THROTTLED, "mask");
    Calendar calendar = calendar(file.text("calendar", ""));
    List<RuleChoice> choices = choices(file);
    Parameters newRules = file.mapping("newRules");
    List<NewRule> created = newRules == null ? List.of() : NewRules.of(newRules);
    List<Pin> pins = file.list("pins").stream().map(Pin::of).toList();
    Map<String, Capacity> capacities = new LinkedHashMap<>();
    file.entries("services").forEach((service, item) -> capacities.put(service, Capacity.of(item)));
    RunTriggers triggers = RunTriggers.DEFAULT.with(file);
    file.finish();
    return source == null
        ? null
        : new ConfiguratorConfig(
            source,
            history,
            Math.toIntExact(step.toSeconds()),
            runEvery,
            throttled.equals("use"),
            calendar,
            choices,
            pins,
            capacities,
            created,
            triggers);
  }

  private @Nullable MetricSource source(Parameters file) {
    Parameters source = file.mapping("source");
    if (source == null) {
      file.problem("source", "no source (expected: source, with kind)");
      return null;
    }
    return Sources.open(source, directory);
  }

  private Calendar calendar(String name) {
    if (name.isEmpty()) {
      return Calendar.EMPTY;
    }
    Problems ofCalendar = new Problems(name);
    files.add(directory.resolve(name));
    byte[] content = bytes(directory.resolve(name), message -> ofCalendar.add(1, 1, message));
    Calendar calendar = CalendarReader.read(content, ofCalendar);
    problemsElsewhere.addAll(ofCalendar.inOrder());
    return calendar;
  }

  private List<RuleChoice> choices(Parameters file) {
    Parameters guardsForAll = file.mapping("guards");
    GuardSettings guards =
        guardsForAll == null ? GuardSettings.DEFAULT : GuardSettings.DEFAULT.with(guardsForAll);
    Parameters promotionForAll = file.mapping("promotion");
    PromotionSettings promotion =
        promotionForAll == null
            ? PromotionSettings.DEFAULT
            : PromotionSettings.DEFAULT.with(promotionForAll);
    List<RuleChoice> choices = new ArrayList<>();
    if (!file.has("limits")) {
      file.problem("limits", "no limits (expected: limits, a list that says which rules to keep)");
    }
    for (Parameters item : file.list("limits")) {
      choices.add(choice(item, guards, promotion));
    }
    return choices;
  }

  private RuleChoice choice(
      Parameters item, GuardSettings guardsForAll, PromotionSettings promotionForAll) {
    Parameters match = item.mapping("match");
    NamePattern[] patterns = new NamePattern[4];
    String[] keys = {"service", "rule", "caller", "procedure"};
    for (int i = 0; i < keys.length; i++) {
      patterns[i] = match == null ? NamePattern.any() : match.pattern(keys[i]);
    }
    if (match != null) {
      match.finish();
    }
    Parameters policy = item.mapping("policy");
    LimitPolicy chosen = policy == null ? policies.byDefault() : policies.create(policy);
    Parameters guards = item.mapping("guards");
    Parameters promotion = item.mapping("promotion");
    double regions = item.number("failoverRegions", 0, 0, 1000);
    if (regions == 1 || regions != Math.rint(regions)) {
      item.problem(
          "failoverRegions", "failoverRegions: found " + regions + " (expected: 2 or more, or 0)");
    }
    item.finish();
    return new RuleChoice(
        patterns[0],
        patterns[1],
        patterns[2],
        patterns[3],
        chosen,
        guards == null ? guardsForAll : guardsForAll.with(guards),
        regions < 2 ? 1 : regions / (regions - 1),
        promotion == null ? promotionForAll : promotionForAll.with(promotion));
  }
}
