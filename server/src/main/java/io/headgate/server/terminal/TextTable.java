package io.headgate.server.terminal;

import java.util.ArrayList;
import java.util.List;

/** Columns of text, as wide as they need to be. */
public final class TextTable {

  private static final String GAP = "  ";
  private static final String CUT = "..";

  private final List<Column> columns = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  private record Column(String title, boolean right, int maxWidth) {}

  /** Adds a column for text; what is longer than {@code maxWidth} is cut. */
  public TextTable text(String title, int maxWidth) {
    columns.add(new Column(title, false, maxWidth));
    return this;
  }

  /** Adds a column for numbers. */
  public TextTable number(String title) {
    columns.add(new Column(title, true, Integer.MAX_VALUE));
    return this;
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if there are not as many cells as columns
   */
  public TextTable row(String... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "cells: " + cells.length + " (expected: " + columns.size() + ", one a column)");
    }
    rows.add(List.of(cells));
    return this;
  }

  /** The title line and one line a row, none with blanks at its end. */
  public List<String> lines() {
    List<List<String>> all = new ArrayList<>();
    all.add(columns.stream().map(Column::title).toList());
    all.addAll(rows);
    int[] widths = new int[columns.size()];
    for (List<String> row : all) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], cell(row, i).length());
      }
    }
    return all.stream().map(row -> line(row, widths)).toList();
  }

  private String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = cell(row, i);
      String padding = " ".repeat(widths[i] - cell.length());
      line.append(i == 0 ? "" : GAP);
      line.append(columns.get(i).right() ? padding + cell : cell + padding);
    }
    return line.toString().stripTrailing();
  }

  private String cell(List<String> row, int column) {
    String cell = row.get(column);
    int maxWidth = columns.get(column).maxWidth();
    return cell.length() <= maxWidth ? cell : cell.substring(0, maxWidth - CUT.length()) + CUT;
  }
}
