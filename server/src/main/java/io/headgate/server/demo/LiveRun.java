package io.headgate.server.demo;

import io.headgate.control.status.FileProblem;
import io.headgate.core.rule.ServiceRules;
import io.headgate.server.command.Termination;
import io.headgate.server.demo.load.Arrivals;
import io.headgate.server.demo.load.DayCurve;
import io.headgate.server.demo.load.Flow;
import io.headgate.server.demo.load.LoadGenerator;
import io.headgate.server.demo.load.LoadProfile;
import io.headgate.server.demo.load.ProfileArrivals;
import io.headgate.server.demo.load.TraceArrivals;
import io.headgate.server.demo.measure.Census;
import io.headgate.server.demo.measure.Interval;
import io.headgate.server.demo.sample.CallOutcomes;
import io.headgate.server.demo.screen.Display;
import io.headgate.server.demo.screen.RuleTable;
import io.headgate.server.demo.screen.Terminal;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A run to look at: the load of a day that takes two minutes, or of a trace, and a table of what
 * becomes of it, until it is ended.
 */
final class LiveRun {

  /** The usual load and the main limit, for which two processors are enough. */
  static final double MAIN_LIMIT_PER_SECOND = 1_500;

  private static final LoadProfile EUROPE = new DayCurve(120, 0.3, 1.2, 0.9, 0);
  private static final LoadProfile AMERICA = new DayCurve(120, 0.3, 1.2, 0.9, 0.2);
  private static final long TERMINAL_MILLIS = 1_000;
  private static final long LINES_MILLIS = 5_000;

  private final DemoFleet fleet;
  private final @Nullable TraceReplay trace;
  private final Terminal terminal;
  private final RuleTable table;

  /**
   * A run.
   *
   * @param trace what is called when; null for the load of a day
   */
  LiveRun(DemoFleet fleet, @Nullable TraceReplay trace, Terminal terminal) {
    this.fleet = fleet;
    this.trace = trace;
    this.terminal = terminal;
    table = new RuleTable(fleet.callers().locations());
  }

  /**
   * Makes the calls and shows what becomes of them.
   *
   * @param seconds for how long; 0: until the end is asked for
   */
  void run(Termination termination, PrintWriter out, int seconds) throws InterruptedException {
    long period = terminal.interactive() ? TERMINAL_MILLIS : LINES_MILLIS;
    try (LoadGenerator load = LoadGenerator.start(arrivals());
        Display display = new Display(out, terminal.interactive())) {
      Census last = fleet.census();
      boolean over = false;
      while (!over) {
        double left = seconds == 0 ? period : seconds * 1e3 - load.elapsedSeconds() * 1e3;
        over = termination.await((long) Math.max(1, Math.min(period, left)));
        Census now = fleet.census();
        display.show(frame(load.elapsedSeconds(), now.since(last)));
        last = now;
        over |= seconds > 0 && load.elapsedSeconds() >= seconds;
      }
    }
  }

  private Arrivals arrivals() {
    RandomGenerator random = RandomGenerator.getDefault();
    List<Flow> flows =
        fleet
            .callers()
            .flows(
                MAIN_LIMIT_PER_SECOND * fleet.loadFactor(),
                location -> location.region().startsWith("us") ? AMERICA : EUROPE);
    return trace == null
        ? new ProfileArrivals(flows, random)
        : new TraceArrivals(trace.trace(), trace.speed(), flows, random);
  }

  private List<String> frame(double elapsedSeconds, Interval interval) {
    List<String> head = List.of(title(elapsedSeconds), "");
    List<String> foot = foot();
    ServiceRules rules = fleet.sampleRules();
    List<String> body = table.lines(rules, interval, terminal.interactive());
    if (terminal.interactive() && head.size() + body.size() + foot.size() >= terminal.rows()) {
      body = table.lines(rules, interval, false);
    }
    List<String> frame = new ArrayList<>(head);
    frame.addAll(body);
    frame.addAll(foot);
    return terminal.interactive() ? fitted(frame) : frame;
  }

  /** A frame that is higher or wider than the terminal could not be drawn over. */
  private List<String> fitted(List<String> frame) {
    return frame.stream()
        .limit(Math.max(1, terminal.rows() - 1))
        .map(line -> line.length() <= terminal.columns() ? line : cut(line, terminal.columns()))
        .toList();
  }

  private static String cut(String line, int columns) {
    return line.substring(0, columns);
  }

  private String title(double elapsedSeconds) {
    long whole = (long) elapsedSeconds;
    String load =
        trace == null
            ? String.format(
                Locale.ROOT,
                "load: eu-west %.2f, us-east %.2f of the usual",
                EUROPE.factor(elapsedSeconds),
                AMERICA.factor(elapsedSeconds))
            : String.format(
                Locale.ROOT,
                "trace at speed %s: %.0f s of %.0f s",
                trace.speed(),
                elapsedSeconds * trace.speed() % trace.trace().durationSeconds(),
                trace.trace().durationSeconds());
    return String.format(Locale.ROOT, "headgate demo  %02d:%02d  %s", whole / 60, whole % 60, load);
  }

  private List<String> foot() {
    List<String> lines = new ArrayList<>();
    lines.add("");
    CallOutcomes outcomes = fleet.callers().outcomes();
    String failed = outcomes.firstFailure() == null ? "" : " (" + outcomes.firstFailure() + ")";
    lines.add(
        String.format(
            Locale.ROOT,
            "calls  %,d answered, %,d dropped, %,d failed%s",
            outcomes.answeredCalls(),
            outcomes.droppedCalls(),
            outcomes.failedCalls(),
            failed));
    List<String> down = fleet.down();
    lines.add("tiers  " + (down.isEmpty() ? "all up" : "down: " + String.join(", ", down)));
    List<FileProblem> problems = fleet.rules().problems();
    lines.add(
        "rules  version "
            + fleet.rules().rules().version()
            + (problems.isEmpty() ? "" : ", last good ones; a file is wrong:"));
    problems.forEach(problem -> lines.add("       " + problem));
    return lines;
  }
}
