package io.headgate.server.demo.load;

import io.headgate.server.terminal.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Reads when requests came from a file of comma-separated values: one request a row, its time in
 * the first column, whatever follows. A first row that begins with a letter is a header; empty rows
 * are left out. Rows need not be in order.
 */
public final class TraceFile {

  private TraceFile() {}

  /**
   * Reads a trace.
   *
   * @throws UserError if the file cannot be read or a row has no time, with its line
   */
  public static Trace read(Path file) {
    long[] times = new long[1024];
    int count = 0;
    int line = 0;
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      for (String row = reader.readLine(); row != null; row = reader.readLine()) {
        line++;
        String field = firstField(row);
        if (row.isBlank() || (line == 1 && isHeader(field))) {
          continue;
        }
        if (count == times.length) {
          times = Arrays.copyOf(times, 2 * count);
        }
        times[count++] = parse(field, file, line);
      }
    } catch (NoSuchFileException e) {
      throw UserError.failed("--trace: " + file + " does not exist (expected: a CSV file)");
    } catch (CharacterCodingException e) {
      throw UserError.failed("--trace: " + file + ":" + (line + 1) + ": not UTF-8 text");
    } catch (IOException e) {
      throw UserError.failed("--trace: " + file + " cannot be read: " + e.getMessage());
    }
    Trace trace = count < 2 ? null : Trace.of(Arrays.copyOf(times, count));
    if (trace == null || trace.durationSeconds() == 0) {
      throw UserError.failed(
          "--trace: "
              + file
              + " has "
              + count
              + " times"
              + (count < 2 ? "" : ", all the same")
              + " (expected: two different ones at least)");
    }
    return trace;
  }

  private static long parse(String field, Path file, int line) {
    try {
      return Timestamp.nanos(field);
    } catch (IllegalArgumentException e) {
      throw UserError.failed("--trace: " + file + ":" + line + ": " + e.getMessage());
    }
  }

  private static String firstField(String row) {
    int comma = row.indexOf(',');
    String field = (comma < 0 ? row : row.substring(0, comma)).strip();
    // Spreadsheets begin a file with a byte order mark and put text into quotes.
    field = field.startsWith("\uFEFF") ? field.substring(1) : field;
    boolean quoted = field.length() > 1 && field.startsWith("\"") && field.endsWith("\"");
    return quoted ? field.substring(1, field.length() - 1) : field;
  }

  private static boolean isHeader(String field) {
    return !field.isEmpty() && Character.isLetter(field.charAt(0));
  }
}
