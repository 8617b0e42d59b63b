package io.headgate.server.demo.screen;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What this process writes to.
 *
 * @param interactive whether it is a terminal that understands ANSI control sequences
 * @param rows its height in lines
 * @param columns its width in characters
 */
public record Terminal(boolean interactive, int rows, int columns) {

  private static final int USUAL_ROWS = 24;
  private static final int USUAL_COLUMNS = 80;
  private static final File DEVICE = new File("/dev/tty");
  private static final long ASK_TIMEOUT_SECONDS = 2;

  /** The terminal now; sizes are the usual ones where the system does not tell. */
  public static Terminal detect(Map<String, String> environment) {
    String type = environment.getOrDefault("TERM", "dumb");
    boolean interactive = isConsole() && !type.equals("dumb") && !type.isEmpty();
    return interactive ? sized(size()) : new Terminal(false, USUAL_ROWS, USUAL_COLUMNS);
  }

  private static Terminal sized(String rowsAndColumns) {
    String[] parts = rowsAndColumns.strip().split(" ", -1);
    try {
      int rows = Integer.parseInt(parts[0]);
      int columns = Integer.parseInt(parts[parts.length - 1]);
      if (rows > 0 && columns > 0) {
        return new Terminal(true, rows, columns);
      }
    } catch (NumberFormatException e) {
      // Nobody told; the usual size is as good a guess as any.
    }
    return new Terminal(true, USUAL_ROWS, USUAL_COLUMNS);
  }

  /** From Java 22 on there is a console also without a terminal, and it says which. */
  private static boolean isConsole() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  private static String size() {
    try {
      Process stty = new ProcessBuilder("stty", "size").redirectInput(DEVICE).start();
      if (stty.waitFor(ASK_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        return new String(stty.getInputStream().readAllBytes(), US_ASCII);
      }
      stty.destroyForcibly();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return "";
  }
}
