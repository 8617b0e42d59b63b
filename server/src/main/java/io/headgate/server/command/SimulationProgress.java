package io.headgate.server.command;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/** A bar on the terminal that grows while a simulation runs; nothing where there is no terminal. */
final class SimulationProgress {

  private static final int BAR = 40;

  private final PrintWriter err;
  private final boolean shown = System.console() != null;

  /** Silences what hundreds of simulated processes log, which is of no use to anybody. */
  SimulationProgress(PrintWriter err) {
    this.err = err;
    Logger.getLogger("io.headgate").setLevel(Level.OFF);
    if (LoggerFactory.getLogger("io.headgate") instanceof ch.qos.logback.classic.Logger logger) {
      logger.setLevel(ch.qos.logback.classic.Level.OFF);
    }
  }

  /** Shows how much is done, from 0 to 1. */
  void show(double done) {
    if (shown) {
      int filled = (int) Math.round(done * BAR);
      err.printf(
          Locale.ROOT, "\r%s%s %3.0f %%", "█".repeat(filled), "░".repeat(BAR - filled), 100 * done);
      err.flush();
    }
  }

  /** Takes the bar off the terminal. */
  void clear() {
    if (shown) {
      err.print("\r" + " ".repeat(BAR + 8) + "\r");
      err.flush();
    }
  }
}
