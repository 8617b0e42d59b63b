package io.headgate.control.yaml;

import io.headgate.control.status.FileProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects what is wrong with one file. */
public final class Problems {

  /** More than this helps nobody, and a hostile file could have millions. */
  private static final int MAX = 100;

  private static final Comparator<FileProblem> BY_PLACE =
      Comparator.comparingInt(FileProblem::line).thenComparingInt(FileProblem::column);

  private final String file;
  private final List<FileProblem> found = new ArrayList<>();
  private int omitted;

  /** No problems yet with a file. */
  public Problems(String file) {
    this.file = file;
  }

  /** Something is wrong where a node begins. */
  public void add(Node node, String message) {
    add(node.getStartMark(), message);
  }

  void add(Optional<Mark> mark, String message) {
    add(line(mark), column(mark), message);
  }

  /** Something is wrong at a place; lines and columns are counted from 1. */
  public void add(int line, int column, String message) {
    if (found.size() < MAX) {
      found.add(new FileProblem(file, line, column, message));
    } else {
      omitted++;
    }
  }

  /** Whether nothing is wrong. */
  public boolean isEmpty() {
    return found.isEmpty();
  }

  /** All problems, in the order of their places. */
  public List<FileProblem> inOrder() {
    List<FileProblem> ordered = new ArrayList<>(found);
    ordered.sort(BY_PLACE);
    if (omitted > 0) {
      FileProblem last = ordered.get(ordered.size() - 1);
      ordered.add(
          new FileProblem(file, last.line(), last.column(), "and " + omitted + " problems more"));
    }
    return ordered;
  }

  /** The line of a place, counted from 1. */
  public static int line(Optional<Mark> mark) {
    return mark.map(Mark::getLine).orElse(0) + 1;
  }

  /** The column of a place, counted from 1. */
  public static int column(Optional<Mark> mark) {
    return mark.map(Mark::getColumn).orElse(0) + 1;
  }

  /** Where a node begins, in words. */
  public static String place(Node node) {
    return "line " + line(node.getStartMark()) + ", column " + column(node.getStartMark());
  }
}
