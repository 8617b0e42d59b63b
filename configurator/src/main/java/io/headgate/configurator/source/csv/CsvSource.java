package io.headgate.configurator.source.csv;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.SeriesBuilder;
import io.headgate.configurator.source.Measure;
import io.headgate.configurator.source.MetricQuery;
import io.headgate.configurator.source.MetricSource;
import io.headgate.configurator.source.SourceException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.regex.Pattern;

/** Reads a file for each query. */
final class CsvSource implements MetricSource {

  private static final Pattern COMMA = Pattern.compile(",");
  private static final Pattern EPOCH_SECOND = Pattern.compile("\\d{1,11}");
  private static final List<String> OFFERED_COLUMNS = List.of("offered", "value");
  private static final List<String> DROPPED_COLUMNS = List.of("dropped");
  private static final List<String> WOULD_DROP_COLUMNS = List.of("would_drop");

  private final Path directory;
  private final double countedOverSeconds;

  /**
   * @param countedOverSeconds over how many seconds a value was counted; 1 for rates
   */
  CsvSource(Path directory, double countedOverSeconds) {
    this.directory = directory;
    this.countedOverSeconds = countedOverSeconds;
  }

  /** Whoever writes a file for a rule knows what one of its buckets gets. */
  @Override
  public boolean knowsSingleBuckets() {
    return true;
  }

  @Override
  public Series read(MetricQuery query) throws SourceException {
    Path file = file(query);
    try (BufferedReader lines = Files.newBufferedReader(file, UTF_8)) {
      return read(query, file, lines);
    } catch (NoSuchFileException e) {
      throw new SourceException(
          file + ": there is no such file (expected: the rates of " + query.limit() + ")");
    } catch (IOException e) {
      throw new SourceException(file + ": cannot be read: " + e.getMessage());
    }
  }

  private Series read(MetricQuery query, Path file, BufferedReader lines)
      throws IOException, SourceException {
    String header = lines.readLine();
    List<String> columns = header == null ? List.of() : List.of(COMMA.split(header.strip(), -1));
    int time = columns.indexOf("timestamp");
    int value =
        column(
            columns,
            switch (query.measure()) {
              case OFFERED -> OFFERED_COLUMNS;
              case DROPPED -> DROPPED_COLUMNS;
              case WOULD_DROP -> WOULD_DROP_COLUMNS;
            });
    // That nothing is known of what would be dropped is no proof of a limit.
    if (time < 0 || (value < 0 && query.measure() != Measure.DROPPED)) {
      throw new SourceException(
          file
              + ":1: found the columns "
              + columns
              + (query.measure() == Measure.WOULD_DROP
                  ? " (expected: timestamp, offered and would_drop)"
                  : " (expected: timestamp and offered, and dropped if it is known)"));
    }
    SeriesBuilder series = new SeriesBuilder(query.range(), query.stepSeconds());
    if (value < 0) {
      return series.build();
    }
    int number = 1;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      if (!line.isBlank()) {
        String[] cells = COMMA.split(line.strip(), -1);
        if (cells.length != columns.size()) {
          throw wrong(file, number, line, columns.size() + " columns, as in the first line");
        }
        double perSecond = number(file, number, cells[value]) / countedOverSeconds;
        series.add(second(file, number, cells[time]), perSecond);
      }
    }
    return series.build();
  }

  private static int column(List<String> columns, List<String> names) {
    return names.stream().mapToInt(columns::indexOf).max().orElse(-1);
  }

  private static double number(Path file, int line, String text) throws SourceException {
    if (text.isEmpty()) {
      return Double.NaN;
    }
    try {
      double number = Double.parseDouble(text);
      if (number >= 0 || Double.isNaN(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // what follows says it
    }
    throw wrong(file, line, text, "a number of 0 or more, or nothing");
  }

  private static long second(Path file, int line, String text) throws SourceException {
    if (EPOCH_SECOND.matcher(text).matches()) {
      return Long.parseLong(text);
    }
    String iso = text.replace(' ', 'T');
    try {
      boolean local = iso.length() <= "2026-11-27T08:00:00".length();
      return local
          ? LocalDateTime.parse(iso).toEpochSecond(ZoneOffset.UTC)
          : OffsetDateTime.parse(iso).toEpochSecond();
    } catch (DateTimeParseException e) {
      throw wrong(
          file, line, text, "a time such as 2026-11-27T08:00:00Z, or seconds since the epoch");
    }
  }

  private static SourceException wrong(Path file, int line, String found, String expected) {
    return new SourceException(
        file + ":" + line + ": found '" + found + "' (expected: " + expected + ")");
  }

  private Path file(MetricQuery query) {
    LimitKey limit = query.limit();
    String place = limit.place();
    return directory
        .resolve(fileName(limit.service()))
        .resolve(
            fileName(limit.rule().name())
                + (place.isEmpty() ? "" : "@" + fileName(place))
                + ".csv");
  }

  /** Names may hold slashes and dots, which must not lead out of the directory. */
  private static String fileName(String name) {
    String encoded = URLEncoder.encode(name, UTF_8);
    return encoded.startsWith(".") ? "%2E" + encoded.substring(1) : encoded;
  }
}
