package io.headgate.configurator.promotion;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.configurator.plan.ConfigReader;
import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.configurator.series.Series;
import io.headgate.configurator.series.SeriesBuilder;
import io.headgate.configurator.source.Measure;
import io.headgate.configurator.source.MetricQuery;
import io.headgate.configurator.source.MetricSource;
import io.headgate.configurator.source.SourceException;
import io.headgate.control.rules.repository.DirectoryRuleRepository;
import io.headgate.control.rules.repository.RuleFiles;
import io.headgate.control.rules.repository.RuleRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** A service whose rates a test sets, its rules in a directory, and runs at chosen moments. */
final class Fleet implements MetricSource {

  static final Instant MONDAY = Instant.parse("2026-03-02T00:00:00Z");

  private final Path directory;
  private final Map<String, LongToDoubleFunction> rates = new HashMap<>();
  private final Set<String> asked = new ConcurrentSkipListSet<>();
  private String promotion = "";
  private String more = "";
  private @Nullable ConfiguratorConfig config;
  private boolean down;
  private boolean singleBuckets = true;

  Fleet(Path directory) throws IOException {
    this.directory = directory;
    Files.createDirectories(directory.resolve("rules"));
    Files.createDirectories(directory.resolve("nothing"));
  }

  /** A moment so long after the Monday on which it all begins. */
  static Instant after(String iso) {
    return MONDAY.plus(Duration.parse(iso));
  }

  static LongToDoubleFunction constant(double rate) {
    return second -> rate;
  }

  /** A rate from a moment on, and 0 before. */
  static LongToDoubleFunction from(Instant moment, double rate) {
    return second -> second >= moment.getEpochSecond() ? rate : 0;
  }

  /** One rule of service payments. */
  Fleet rule(String... lines) throws IOException {
    Files.writeString(
        file(),
        "service: payments\nrules:\n  - name: checkout\n    "
            + String.join("\n    ", lines)
            + "\n");
    return this;
  }

  Path file() {
    return directory.resolve("rules/payments.yaml");
  }

  String text() throws IOException {
    return Files.readString(file());
  }

  Fleet offered(String limit, LongToDoubleFunction rate) {
    rates.put(limit + " OFFERED", rate);
    return this;
  }

  Fleet wouldDrop(String limit, LongToDoubleFunction rate) {
    rates.put(limit + " WOULD_DROP", rate);
    return this;
  }

  Fleet dropped(String limit, LongToDoubleFunction rate) {
    rates.put(limit + " DROPPED", rate);
    return this;
  }

  /** A steady rate of which nothing would be dropped and nothing is, whoever asks. */
  Fleet steady(double rate) {
    for (String limit :
        List.of("checkout", "checkout.candidate", "checkout@a1", "checkout@a2", "checkout@a")) {
      offered(limit, constant(rate)).wouldDrop(limit, constant(0)).dropped(limit, constant(0));
    }
    return this;
  }

  Fleet promotion(String settings) {
    promotion = settings;
    config = null;
    return this;
  }

  Fleet config(String lines) {
    more = lines;
    config = null;
    return this;
  }

  Fleet down(boolean down) {
    this.down = down;
    return this;
  }

  Fleet knowsSums() {
    singleBuckets = false;
    return this;
  }

  /** Which rates were asked for since this was called before. */
  Set<String> asked() {
    Set<String> since = new TreeSet<>(asked);
    asked.clear();
    return since;
  }

  RuleRepository repository() {
    return new DirectoryRuleRepository(directory.resolve("rules"));
  }

  /** What a run would do, and does not. */
  Promotions look(Instant now) throws Exception {
    return new Promotion(config(), 2).decide(repository().read(), now, done -> {});
  }

  /** A run. */
  Promotions run(Instant now) throws Exception {
    RuleFiles base = repository().read();
    assertThat(base.problems()).isEmpty();
    Promotions promotions = new Promotion(config(), 2).decide(base, now, done -> {});
    if (promotions.isChange()) {
      repository().write(base, promotions.change("headgate <headgate@localhost>"));
    }
    return promotions;
  }

  /** A run, of which the only decision is given. */
  PromotionDecision decided(Instant now) throws Exception {
    Promotions promotions = run(now);
    assertThat(promotions.decisions()).hasSize(1);
    return promotions.decisions().get(0);
  }

  /** As people write it, but for the source. */
  ConfiguratorConfig config() throws IOException {
    ConfiguratorConfig known = config;
    if (known == null) {
      known = read();
      config = known;
    }
    return known;
  }

  private ConfiguratorConfig read() throws IOException {
    Path file = directory.resolve("configurator.yaml");
    Files.writeString(
        file,
        "source: { kind: csv, directory: nothing }\nstep: 5m\nlimits: [{}]\n"
            + (promotion.isEmpty() ? "" : "promotion: { " + promotion + " }\n")
            + more);
    ConfigReader.Reading reading = ConfigReader.read(file);
    assertThat(reading.problems()).isEmpty();
    ConfiguratorConfig read = reading.config();
    assertThat(read).isNotNull();
    return new ConfiguratorConfig(
        this,
        read.history(),
        read.stepSeconds(),
        read.runEvery(),
        read.learnFromThrottled(),
        read.calendar(),
        read.choices(),
        read.pins(),
        read.capacities(),
        read.newRules(),
        read.triggers());
  }

  @Override
  public boolean knowsSingleBuckets() {
    return singleBuckets;
  }

  @Override
  public Series read(MetricQuery query) throws SourceException {
    if (down) {
      throw new SourceException("nobody answers");
    }
    String limit = query.limit().toString().replace("payments/", "") + " " + query.measure();
    asked.add(limit);
    SeriesBuilder series = new SeriesBuilder(query.range(), query.stepSeconds());
    LongToDoubleFunction rate = rates.get(limit);
    if (rate == null && query.measure() != Measure.DROPPED) {
      throw new SourceException("nothing of " + limit);
    }
    for (long second = query.range().fromSecond();
        rate != null && second < query.range().toSecond();
        second += query.stepSeconds()) {
      series.add(second, rate.applyAsDouble(second));
    }
    return series.build();
  }
}
