package io.headgate.configurator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.configurator.trigger.DriftSettings;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runners over the same rules, at the same time or one after the other. */
class SeveralRunnersTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private Site site;

  @BeforeEach
  void twoRules() {
    site = new Site(directory).rules("checkout", 1000, "search", 1100);
  }

  @Test
  void oneOfThemDoesWhatThereIsToDo() {
    site.drift(DriftSettings.DEFAULT);
    ConfiguratorLoop one = site.runner("one");
    ConfiguratorLoop two = site.runner("two");
    site.time.until("2026-03-03T03:00:00Z");

    assertThat(site.demand.reads())
        .as("at once, and in the night")
        .containsExactly("checkout", "search", "checkout", "search");
    assertThat(site.status(one).next()).isEqualTo("2026-03-04T02:30:00Z");
    assertThat(site.status(two).next()).isEqualTo("2026-03-04T02:30:00Z");
  }

  @Test
  void whileOneIsAtItTheOtherWaitsHoweverLongItTakes() {
    site.runner("one");
    ConfiguratorLoop two = site.runner("two");
    site.demand.meanwhile(
        () -> {
          site.time.pass(Duration.ofHours(1));
          assertThat(site.status(two).holder()).isEqualTo("one");
        });
    site.time.pass(MINUTE);

    assertThat(site.demand.reads()).containsExactly("checkout", "search");
    assertThat(site.limit("checkout")).isEqualTo("1250/s");
    assertThat(site.status(two).last()).isNull();
  }

  @Test
  void aRunnerThatHangsIsTakenOverAndWritesNothing() {
    VirtualTime frozen = new VirtualTime(Site.START); // the timers of the one that hangs
    site.runner("one", site.repository(), frozen);
    site.demand.meanwhile(
        () -> {
          site.runner("two");
          site.time.pass(Duration.ofMinutes(2));
          assertThat(site.limit("checkout")).as("it may come back").isEqualTo("1000/s");
          site.time.pass(Duration.ofMinutes(2));
          assertThat(site.limit("checkout")).isEqualTo("1250/s");
          site.rules("checkout", 1000, "search", 1100); // to see whether it is written once more
        });
    frozen.pass(Duration.ZERO);
    site.time.pass(Duration.ZERO);

    assertThat(site.limit("checkout")).isEqualTo("1000/s");
    assertThat(lost()).isEqualTo(1);
  }

  @Test
  void aRunnerThatHearsOfItsLossBreaksOff() {
    site.demand.meanwhile(
        () -> {
          try {
            // Another machine, by whose clock the lease has run out.
            site.repository()
                .tryLease("two", site.time.instant().plus(Duration.ofMinutes(4)), MINUTE);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          site.time.pass(MINUTE);
        });
    ConfiguratorLoop one = site.runner("one");
    site.time.pass(MINUTE);

    assertThat(site.limit("checkout")).isEqualTo("1000/s");
    assertThat(site.last(one).result()).isEqualTo("lost");
    site.time.pass(MINUTE);
    assertThat(site.status(one).holder()).isEqualTo("two");
    assertThat(site.status(one).failures()).isZero();

    site.time.pass(Duration.ofMinutes(5));
    assertThat(site.limit("checkout")).as("two never came back").isEqualTo("1250/s");
  }

  @Test
  void whoIsStartedAgainGoesOnWhereItWas() {
    site.drift(DriftSettings.DEFAULT);
    site.demand.level("search", Site.START.minus(Duration.ofDays(60)), 0.2);
    site.runner("one");
    site.time.until("2026-03-02T15:00:00Z");
    assertThat(site.demand.reads())
        .as("all, then the one below the band")
        .containsExactly("checkout", "search", "search");

    site.time.forget();
    site.runner("one again");
    site.time.until("2026-03-03T02:29:00Z");

    assertThat(
            site.metrics
                .get("headgate.configurator.last.full.run.seconds")
                .tag("configurator", "one again")
                .gauge()
                .value())
        .isEqualTo(Site.START.getEpochSecond());

    assertThat(site.demand.reads()).isEmpty();
  }

  @Test
  void whatShouldHaveBeenDoneMeanwhileIsDoneAtTheStart() {
    site.runner("one");
    site.time.pass(MINUTE);
    site.demand.reads();
    site.time.forget();
    site.time.until("2026-03-05T10:00:00Z");

    ConfiguratorLoop again = site.runner("one again");
    site.time.pass(MINUTE);

    assertThat(site.demand.reads()).containsExactly("checkout", "search");
    assertThat(site.last(again).cause()).isEqualTo("schedule");
    assertThat(site.status(again).next()).isEqualTo("2026-03-06T02:30:00Z");
  }

  @Test
  void rulesThatWereChangedMeanwhileAreComputedAtTheStart() {
    site.runner("one");
    site.time.pass(MINUTE);
    site.time.forget();
    site.rules("checkout", 1250, "search", 1000);

    ConfiguratorLoop again = site.runner("one again");
    site.time.pass(MINUTE);

    assertThat(site.last(again).cause()).isEqualTo("rules");
    assertThat(site.limit("search")).isEqualTo("1250/s");
  }

  @Test
  void aChangeThatSomebodyTakesBackStaysTakenBackUntilTheNextNight() throws Exception {
    site.runner("one");
    site.time.pass(MINUTE);
    var repository = site.repository();
    repository.note(RunNotes.revision(repository.revert("somebody").revision()));
    site.time.until("2026-03-03T02:29:00Z");
    assertThat(site.limit("checkout")).isEqualTo("1000/s");

    site.time.pass(Duration.ofMinutes(2));

    assertThat(site.limit("checkout")).isEqualTo("1250/s");
  }

  @Test
  void aServiceThatComesAfterARunByHandComputesAllLimitsOnce() throws Exception {
    var repository = site.repository();
    repository.note(RunNotes.revision(repository.read().revision()));
    site.runner("one");
    site.time.pass(Duration.ofHours(1));

    assertThat(site.demand.reads()).containsExactly("checkout", "search");
  }

  private double lost() {
    return site
        .metrics
        .get("headgate.configurator.runs")
        .tags("configurator", "one", "result", "lost")
        .counters()
        .stream()
        .mapToDouble(Counter::count)
        .sum();
  }
}
