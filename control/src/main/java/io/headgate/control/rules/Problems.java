package io.headgate.control.rules;

import io.headgate.control.status.FileProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects what is wrong with one file. */
final class Problems {

  /** More than this helps nobody, and a hostile file could have millions. */
  private static final int MAX = 100;

  private static final Comparator<FileProblem> BY_PLACE =
      Comparator.comparingInt(FileProblem::line).thenComparingInt(FileProblem::column);

  private final String file;
  private final List<FileProblem> found = new ArrayList<>();
  private int omitted;

  Problems(String file) {
    this.file = file;
  }

  void add(Node node, String message) {
    add(node.getStartMark(), message);
  }

  void add(Optional<Mark> mark, String message) {
    add(line(mark), column(mark), message);
  }

  void add(int line, int column, String message) {
    if (found.size() < MAX) {
      found.add(new FileProblem(file, line, column, message));
    } else {
      omitted++;
    }
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  List<FileProblem> inOrder() {
    List<FileProblem> ordered = new ArrayList<>(found);
    ordered.sort(BY_PLACE);
    if (omitted > 0) {
      FileProblem last = ordered.get(ordered.size() - 1);
      ordered.add(
          new FileProblem(file, last.line(), last.column(), "and " + omitted + " problems more"));
    }
    return ordered;
  }

  static int line(Optional<Mark> mark) {
    return mark.map(Mark::getLine).orElse(0) + 1;
  }

  static int column(Optional<Mark> mark) {
    return mark.map(Mark::getColumn).orElse(0) + 1;
  }

  static String place(Node node) {
    return "line " + line(node.getStartMark()) + ", column " + column(node.getStartMark());
  }
}
