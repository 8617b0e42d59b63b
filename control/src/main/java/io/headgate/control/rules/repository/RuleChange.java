package io.headgate.control.rules.repository;

import java.util.List;

/**
 * What is to be written in one piece.
 *
 * @param edits made one after the other
 * @param author who is named as the author, such as {@code headgate <headgate@localhost>}
 * @param message why, for whoever reads the history; the first line is a summary
 */
public record RuleChange(List<RuleEdit> edits, String author, String message) {

  public RuleChange {
    edits = List.copyOf(edits);
  }
}
