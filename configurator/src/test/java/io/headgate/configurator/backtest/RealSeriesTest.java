package io.headgate.configurator.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.headgate.configurator.Traffic;
import io.headgate.configurator.history.Calendar;
import io.headgate.configurator.history.CalendarWindow;
import io.headgate.configurator.history.Cleaning;
import io.headgate.configurator.history.WindowKind;
import io.headgate.configurator.parameters.Parameters;
import io.headgate.configurator.policy.LimitPolicy;
import io.headgate.configurator.policy.Policies;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.SeriesBuilder;
import io.headgate.configurator.series.TimeRange;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlDocuments;
import io.headgate.core.rule.NamePattern;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Real series of the Numenta Anomaly Benchmark, if {@code -Dheadgate.nab=DIRECTORY} says where they
 * are: four weeks to learn from, the next to judge. What its labels call anomalous is no false
 * drop.
 */
class RealSeriesTest {

  private static final Pattern WINDOW = Pattern.compile("\"(\\d{4}[^\"]{15})[^\"]*\"");

  private Path directory;

  @BeforeEach
  void findTheSeries() {
    String set = System.getProperty("headgate.nab", "");
    assumeFalse(set.isEmpty(), "-Dheadgate.nab");
    directory = Path.of(set);
  }

  @Test
  void peakDropsNoTaxiRidesAndStaysCloseToThem() throws IOException {
    BackTestResult taxi = run("nyc_taxi", "realKnownCause", 1800, 28, 7).get("peak");

    assertThat(taxi.periods()).isEqualTo(26);
    assertThat(100 * taxi.falseDrops()).isLessThan(0.0005);
    assertThat(taxi.medianLimitToPeak()).isLessThan(1.315);
    assertThat(taxi.leastLimitToPeak()).isGreaterThanOrEqualTo(0.90);
    assertThat(taxi.attackInflation()).isLessThan(1.005);
  }

  /** The fourth window of the labels is the new year, the fifth a blizzard; nothing is excused. */
  @Test
  void theNewYearAndABlizzardAreWithinTheLimitOfThePeak() throws IOException {
    Series taxi = series("nyc_taxi", 1800);
    List<CalendarWindow> windows = labels("realKnownCause/nyc_taxi").windows();
    Cleaning none = new Cleaning(Calendar.EMPTY, false);
    for (CalendarWindow holiday : windows.subList(3, 5)) {
      long beginning = Math.floorDiv(holiday.range().fromSecond(), Series.DAY) * Series.DAY;
      int at = (int) ((beginning - taxi.range().fromSecond()) / 1800);
      Series weeks = taxi.part(at - 28 * taxi.stepsPerDay(), at + 7 * taxi.stepsPerDay());
      BackTestResult result =
          new BackTest(28, 7, none, none)
              .run(policies().get("peak"), Traffic.limit(taxi.at(0)), weeks);

      System.out.printf(
          Locale.ROOT,
          "nyc_taxi from %s: dropped %.4f %%, limit/peak %.2f%n",
          Instant.ofEpochSecond(beginning),
          100 * result.falseDrops(),
          result.leastLimitToPeak());
      assertThat(result.periods()).isEqualTo(1);
      assertThat(100 * result.falseDrops()).isLessThanOrEqualTo(0.03);
    }
  }

  @Test
  void peakBearsTheSpikesOfTweetsAboutAShop() throws IOException {
    BackTestResult shop = run("Twitter_volume_AMZN", "realTweets", 300, 28, 7).get("peak");

    assertThat(100 * shop.falseDrops()).isLessThan(0.075);
    assertThat(shop.medianLimitToPeak()).isLessThan(1.55);
  }

  @Test
  void peakBearsTheSpikesOfTweetsAboutASearchEngine() throws IOException {
    BackTestResult search = run("Twitter_volume_GOOG", "realTweets", 300, 28, 7).get("peak");

    assertThat(100 * search.falseDrops()).isLessThan(0.0005);
    assertThat(search.medianLimitToPeak()).isLessThan(1.35);
  }

  @Test
  void twoWeeksOfALoadBalancerAreJudgedDayByDay() throws IOException {
    BackTestResult balancer =
        run("elb_request_count_8c0756", "realAWSCloudwatch", 300, 7, 1).get("peak");

    assertThat(balancer.periods()).isPositive();
    assertThat(100 * balancer.falseDrops()).isLessThan(0.2);
  }

  /** Prints a line a policy and returns the results by the policy's name. */
  private Map<String, BackTestResult> run(
      String name, String group, int step, int trainingDays, int periodDays) throws IOException {
    Series series = series(name, step);
    Cleaning training = new Cleaning(Calendar.EMPTY, false);
    Cleaning judging = new Cleaning(labels(group + "/" + name), false);
    BackTest test = new BackTest(trainingDays, periodDays, training, judging);
    Map<String, BackTestResult> results = new LinkedHashMap<>();
    policies()
        .forEach(
            (policy, of) -> {
              BackTestResult result = test.run(of, Traffic.limit(series.at(0)), series);
              results.put(policy, result);
              System.out.printf(
                  Locale.ROOT,
                  "%-25s %-14s periods %2d, false drops %.4f %%, limit/peak %.2f (least %.2f),"
                      + " attack x%.2f%n",
                  name,
                  policy,
                  result.periods(),
                  100 * result.falseDrops(),
                  result.medianLimitToPeak(),
                  result.leastLimitToPeak(),
                  result.attackInflation());
            });
    return results;
  }

  private static Map<String, LimitPolicy> policies() {
    Map<String, LimitPolicy> policies = new LinkedHashMap<>();
    for (String of :
        List.of("peak", "peak, growth: on", "quantile", "seasonal", "forecast", "near-real-time")) {
      Problems problems = new Problems("policy");
      byte[] yaml = ("{ name: " + of + " }").getBytes(StandardCharsets.UTF_8);
      policies.put(
          of,
          Policies.load()
              .create(Parameters.of(new YamlDocuments(problems).read(yaml).get(0), problems)));
      assertThat(problems.inOrder()).isEmpty();
    }
    return policies;
  }

  private Series series(String name, int step) throws IOException {
    List<String> lines = Files.readAllLines(directory.resolve(name + ".csv"));
    long from = second(lines.get(1).split(",", -1)[0]);
    long steps = (second(lines.get(lines.size() - 1).split(",", -1)[0]) - from) / step + 1;
    SeriesBuilder series = new SeriesBuilder(new TimeRange(from, from + steps * step), step);
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      series.add(second(cells[0]), Double.parseDouble(cells[1]));
    }
    return series.build();
  }

  private Calendar labels(String name) throws IOException {
    String json = Files.readString(directory.resolve("combined_windows.json"));
    int from = json.indexOf("\"" + name + ".csv\"");
    String part =
        json.substring(
            json.indexOf('[', from),
            json.indexOf(".csv\"", from + 1) < 0
                ? json.length()
                : end(json, from + name.length() + 7));
    Matcher matcher = WINDOW.matcher(part);
    List<CalendarWindow> windows = new ArrayList<>();
    while (matcher.find()) {
      long begin = second(matcher.group(1));
      if (!matcher.find()) {
        throw new IllegalStateException("a window without an end in the labels of " + name);
      }
      windows.add(
          new CalendarWindow(
              WindowKind.INCIDENT,
              new TimeRange(begin, second(matcher.group(1))),
              NamePattern.any(),
              NamePattern.any(),
              NamePattern.any(),
              ""));
    }
    assertThat(windows).as("labels of " + name).isNotEmpty();
    return new Calendar(windows);
  }

  /** Where the list of windows ends: at the name of the next series. */
  private static int end(String json, int from) {
    int next = json.indexOf(".csv\"", from);
    return next < 0 ? json.length() : json.lastIndexOf("\"", next);
  }

  private static long second(String text) {
    return LocalDateTime.parse(text.substring(0, 19).replace(' ', 'T'))
        .toEpochSecond(ZoneOffset.UTC);
  }
}
