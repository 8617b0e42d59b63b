package io.headgate.configurator.source.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.configurator.Traffic;
import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.TimeRange;
import io.headgate.configurator.source.Measure;
import io.headgate.configurator.source.MetricQuery;
import io.headgate.configurator.source.SourceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvSourceTest {

  private static final long FROM = Traffic.MONDAY.getEpochSecond();

  @TempDir private Path directory;

  @Test
  void theGreatestOfEachStepCountsWhateverTheFormOfTime() throws Exception {
    write(
        "payments/checkout.csv",
        "timestamp,offered,dropped\n"
            + "2026-03-02 00:00:10,5,0\n"
            + "2026-03-02T00:00:50Z,7,1\n"
            + (FROM + 120)
            + ",9,\n"
            + "2026-03-02T01:03:00+01:00,11,0\n");

    assertThat(read(Traffic.limit(1), Measure.OFFERED, 1).values())
        .containsExactly(7, Double.NaN, 9, 11);
    assertThat(read(Traffic.limit(1), Measure.DROPPED, 1).values())
        .containsExactly(1, Double.NaN, Double.NaN, 0);
  }

  @Test
  void whatWouldBeDroppedMustBeSaid() throws Exception {
    Path file = write("payments/checkout.csv", "timestamp,offered,would_drop\n" + FROM + ",9,2\n");
    assertThat(read(Traffic.limit(1), Measure.WOULD_DROP, 1).at(0)).isEqualTo(2);

    write("payments/checkout.csv", "timestamp,offered,dropped\n" + FROM + ",9,0\n");
    assertThatThrownBy(() -> read(Traffic.limit(1), Measure.WOULD_DROP, 1))
        .isInstanceOf(SourceException.class)
        .hasMessage(
            file
                + ":1: found the columns [timestamp, offered, dropped] (expected: timestamp,"
                + " offered and would_drop)");
  }

  @Test
  void countsBecomeRates() throws Exception {
    write("payments/checkout.csv", "timestamp,value\n" + FROM + ",3000\n");

    assertThat(read(Traffic.limit(1), Measure.OFFERED, 300).at(0)).isEqualTo(10);
  }

  @Test
  void namesDoNotLeadOutOfTheDirectory() {
    LimitKey limit = new LimitKey("..", Traffic.rule("a/b", 1, Map.of()), "eu");

    assertThatThrownBy(() -> read(limit, Measure.OFFERED, 1))
        .isInstanceOf(SourceException.class)
        .hasMessage(
            directory.resolve("%2E.").resolve("a%2Fb@eu.csv")
                + ": there is no such file (expected: the rates of ../a/b@eu)");
  }

  @Test
  void aMistakeIsNamedWithItsLine() throws Exception {
    Path file = write("payments/checkout.csv", "timestamp,value\n" + FROM + ",1\n" + FROM + ",x\n");

    assertThatThrownBy(() -> read(Traffic.limit(1), Measure.OFFERED, 1))
        .hasMessage(file + ":3: found 'x' (expected: a number of 0 or more, or nothing)");
    write("payments/checkout.csv", "timestamp,value\ntoday,1\n");
    assertThatThrownBy(() -> read(Traffic.limit(1), Measure.OFFERED, 1))
        .hasMessageStartingWith(file + ":2: found 'today' (expected: a time such as ");
    write("payments/checkout.csv", "time,value\n");
    assertThatThrownBy(() -> read(Traffic.limit(1), Measure.OFFERED, 1))
        .hasMessageStartingWith(file + ":1: found the columns [time, value] (expected: timestamp");
  }

  private Series read(LimitKey limit, Measure measure, int countedOver) throws SourceException {
    return new CsvSource(directory, countedOver)
        .read(new MetricQuery(limit, measure, new TimeRange(FROM, FROM + 240), 60));
  }

  private Path write(String name, String content) throws Exception {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content);
  }
}
