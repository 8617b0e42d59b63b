package io.headgate.configurator.history;

import io.headgate.configurator.parameters.Parameters;
import io.headgate.configurator.series.TimeRange;
import io.headgate.control.yaml.Choice;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlDocuments;
import io.headgate.control.yaml.YamlNodes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads a calendar: a YAML file with a list of {@code windows}. */
public final class CalendarReader {

  private static final Choice KINDS =
      new Choice("incident", "failover", "load-test", "deploy", "peak");

  private CalendarReader() {}

  /**
   * Reads a calendar.
   *
   * @param problems gets what is wrong; what is returned is of use only if that is nothing
   */
  public static Calendar read(byte[] content, Problems problems) {
    List<CalendarWindow> windows = new ArrayList<>();
    for (Node document : new YamlDocuments(problems).read(content)) {
      if (!YamlNodes.isNothing(document)) {
        Parameters file = Parameters.of(document, problems);
        file.list("windows").forEach(item -> windows.add(window(item)));
        file.finish();
      }
    }
    return new Calendar(windows);
  }

  private static CalendarWindow window(Parameters item) {
    if (!item.has("kind")) {
      item.problem("kind", "a window without kind (expected: kind, " + KINDS + ")");
    }
    String kind = item.word("kind", KINDS, "incident");
    Instant from = item.instant("from");
    Instant to = item.instant("to");
    if (item.has("to") && to.isBefore(from)) {
      item.problem("to", "to: found " + to + " (expected: a time after from, " + from + ")");
      to = from;
    }
    CalendarWindow window =
        new CalendarWindow(
            WindowKind.valueOf(kind.toUpperCase(Locale.ROOT).replace('-', '_')),
            new TimeRange(
                from.getEpochSecond(), Math.max(from.getEpochSecond(), to.getEpochSecond())),
            item.pattern("service"),
            item.pattern("rule"),
            item.pattern("place"),
            item.text("about", ""));
    item.finish();
    return window;
  }
}
