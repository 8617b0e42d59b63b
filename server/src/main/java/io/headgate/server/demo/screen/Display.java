package io.headgate.server.demo.screen;

import java.io.PrintWriter;
import java.util.List;

/**
 * Shows frames of lines: in place on a terminal, each over the one before; one after the other
 * elsewhere.
 */
public final class Display implements AutoCloseable {

  private static final String HIDE_CURSOR = "\u001b[?25l";
  private static final String SHOW_CURSOR = "\u001b[?25h";
  private static final String CLEAR_BELOW = "\u001b[J";

  private final PrintWriter out;
  private final boolean inPlace;
  private int shown;

  /**
   * Nothing is shown yet.
   *
   * @param inPlace whether {@code out} is a terminal that understands ANSI control sequences
   */
  public Display(PrintWriter out, boolean inPlace) {
    this.out = out;
    this.inPlace = inPlace;
    if (inPlace) {
      out.print(HIDE_CURSOR);
    }
  }

  /** Shows a frame. In place, it must have fewer lines than the terminal. */
  public void show(List<String> lines) {
    StringBuilder frame = new StringBuilder();
    if (inPlace && shown > 0) {
      frame.append("\u001b[").append(shown).append("A\r");
    }
    if (inPlace) {
      frame.append(CLEAR_BELOW);
    }
    for (String line : lines) {
      frame.append(line).append(System.lineSeparator());
    }
    out.print(frame);
    out.flush();
    shown = lines.size();
  }

  /** Leaves the terminal as it was, with the last frame on it. */
  @Override
  public void close() {
    if (inPlace) {
      out.print(SHOW_CURSOR);
      out.flush();
    }
  }
}
