package io.headgate.server.command;

import io.headgate.server.terminal.TextTable;
import io.headgate.simulator.baseline.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A comparison as a table for people, at most 100 columns wide, and what its columns mean. */
final class ComparisonView {

  private static final List<String> LEGEND =
      List.of(
          "react s    from the step (or the start) until a full second has under 1.1 x the limit",
          "excess     admitted beyond the limit until then, in seconds of the limit",
          "Jain       how alike hosts were treated, 1 at best",
          "spread     admitted share of the host treated best, less that of the one treated worst",
          "false %    dropped while demand was within the limit, of what was offered then",
          "msgs       what a host sends each second",
          "p50, p99   what a request waits for its judgement, in milliseconds");

  private ComparisonView() {}

  static List<String> lines(Comparison comparison) {
    TextTable table =
        new TextTable()
            .text("situation", 16)
            .text("limiter", 16)
            .number("react s")
            .number("excess")
            .number("Jain")
            .number("spread")
            .number("false %")
            .number("msgs")
            .number("p50")
            .number("p99");
    String last = "";
    for (Comparison.Row row : comparison.rows()) {
      table.row(
          row.situation().equals(last) ? "" : row.situation(),
          row.subject(),
          row.reactionSeconds() == null ? "never" : decimals(2, row.reactionSeconds()),
          decimals(2, row.excessLimitSeconds()),
          decimals(4, row.jainIndex()),
          decimals(3, row.admittedShareSpread()),
          decimals(2, 100 * row.falseDropRatio()),
          decimals(2, row.messagesPerHostSecond()),
          decimals(1, 1000 * row.addedSecondsMedian()),
          decimals(1, 1000 * row.addedSecondsP99()));
      last = row.situation();
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.addAll(LEGEND);
    return lines;
  }

  private static String decimals(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
