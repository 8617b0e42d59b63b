package io.headgate.server.terminal;

import java.io.PrintWriter;
import java.util.Locale;

/** Shows on a terminal how much of a long task is done, and shows nothing elsewhere. */
public final class ProgressBar {

  private static final int WIDTH = 40;

  private final PrintWriter out;
  private final boolean visible = System.console() != null;

  /** A bar that is not shown yet. */
  public ProgressBar(PrintWriter out) {
    this.out = out;
  }

  /** Shows how much is done, from 0 to 1. */
  public void show(double done) {
    if (visible) {
      int filled = (int) Math.round(done * WIDTH);
      String bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
      out.printf(Locale.ROOT, "\r%s %3.0f %%", bar, 100 * done);
      out.flush();
    }
  }

  /** Takes it away. */
  public void clear() {
    if (visible) {
      out.print("\r" + " ".repeat(WIDTH + 8) + "\r");
      out.flush();
    }
  }
}
