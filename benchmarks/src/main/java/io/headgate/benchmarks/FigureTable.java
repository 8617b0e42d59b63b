package io.headgate.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Figures as a table for a terminal; a peer's figure has its ratio to Headgate's beside it. */
final class FigureTable {

  private static final String[] HEADING = {
    "case", "metric", "subject", "value", "error", "unit", "to headgate"
  };
  private static final boolean[] RIGHT = {false, false, false, true, true, false, true};

  /** Nothing can sensibly be compared with less; it is as good as zero. */
  private static final double LEAST_DIVISOR = 0.05;

  private static final String GAP = "  ";

  private FigureTable() {}

  /** The table's lines; figures of one case and metric stand together. */
  static List<String> lines(List<Figure> figures) {
    List<String[]> rows = new ArrayList<>();
    rows.add(HEADING);
    for (List<Figure> group : groups(figures)) {
      @Nullable Double own = own(group);
      boolean first = true;
      for (Figure figure : group) {
        rows.add(row(figure, first, own));
        first = false;
      }
    }
    return aligned(rows);
  }

  private static Iterable<List<Figure>> groups(List<Figure> figures) {
    Map<List<String>, List<Figure>> groups = new LinkedHashMap<>();
    for (Figure figure : figures) {
      groups
          .computeIfAbsent(
              List.of(figure.benchmark(), figure.scenario(), figure.metric()),
              key -> new ArrayList<>())
          .add(figure);
    }
    return groups.values();
  }

  private static @Nullable Double own(List<Figure> group) {
    for (Figure figure : group) {
      if (figure.subject().equals(Figure.HEADGATE)) {
        return figure.value();
      }
    }
    return null;
  }

  private static String[] row(Figure figure, boolean first, @Nullable Double own) {
    Double error = figure.error();
    return new String[] {
      first ? figure.scenario() : "",
      first ? figure.metric() : "",
      figure.subject(),
      number(figure.value()),
      error == null ? "" : "± " + number(error),
      figure.unit(),
      ratio(figure, own)
    };
  }

  private static String ratio(Figure figure, @Nullable Double own) {
    if (own == null || own < LEAST_DIVISOR || figure.subject().equals(Figure.HEADGATE)) {
      return "";
    }
    double ratio = figure.value() / own;
    return String.format(Locale.ROOT, ratio < 10 ? "%.2f x" : "%.0f x", ratio);
  }

  /** Three digits after the point for small numbers, none for great ones. */
  static String number(double value) {
    double size = Math.abs(value);
    String form = size >= 1000 ? "%,.0f" : size >= 100 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
    return String.format(Locale.ROOT, form, value);
  }

  private static List<String> aligned(List<String[]> rows) {
    int[] widths = new int[HEADING.length];
    for (String[] row : rows) {
      for (int column = 0; column < row.length; column++) {
        widths[column] = Math.max(widths[column], row[column].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.length; column++) {
        String padding = " ".repeat(widths[column] - row[column].length());
        line.append(RIGHT[column] ? padding + row[column] : row[column] + padding).append(GAP);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
