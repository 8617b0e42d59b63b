package io.headgate.configurator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.rules.repository.InvalidEditException;
import io.headgate.control.rules.repository.RuleChange;
import io.headgate.control.rules.repository.RuleConflictException;
import io.headgate.control.rules.repository.RuleFiles;
import io.headgate.control.rules.repository.RuleRepository;
import io.headgate.control.rules.repository.RunLease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run dies before and after each of its steps; the next one goes on. */
class KilledRunTest {

  private static final int MORE_STEPS_THAN_THERE_ARE = 40;

  @TempDir private Path directory;

  @Test
  void theRulesAreTheOldOrTheNewOnesAndTheNextRunGoesOn() throws IOException {
    Site undisturbed = site("undisturbed");
    String old = undisturbed.text();
    undisturbed.runner("one");
    undisturbed.time.pass(Duration.ofMinutes(1));
    String fresh = undisturbed.text();
    assertThat(fresh).contains("800/s", "1250/s").isNotEqualTo(old);

    int killed = 0;
    for (int step = 1; step < MORE_STEPS_THAN_THERE_ARE; step++) {
      Site site = site("killed-" + step);
      if (dies(site, step)) {
        killed++;
        assertThat(site.text()).as("after step %s", step).isIn(old, fresh);
        site.time.forget();
        site.runner("two");
        site.time.pass(Duration.ofMinutes(10));
        assertThat(site.text()).as("after step %s and another runner", step).isEqualTo(fresh);
      }
    }

    // Reading twice, a lease, notes twice and writing, before and after each, at least.
    assertThat(killed).isBetween(12, MORE_STEPS_THAN_THERE_ARE - 2);
  }

  /** A fall by a fifth, which a second run too many would make two of, and a rise. */
  private Site site(String name) throws IOException {
    Site site =
        new Site(Files.createDirectory(directory.resolve(name)))
            .rules("checkout", 1000, "search", 1000);
    site.demand.level("checkout", Site.START.minus(Duration.ofDays(60)), 0.2);
    return site;
  }

  private static boolean dies(Site site, int step) {
    try {
      site.runner("one", new Mortal(site.repository(), step));
      site.time.pass(Duration.ofMinutes(1));
      return false;
    } catch (Death e) {
      return true;
    }
  }

  private static final class Death extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** A repository whose user dies at a step, and does nothing afterwards. */
  private static final class Mortal implements RuleRepository {

    private final RuleRepository repository;
    private int stepsLeft;

    Mortal(RuleRepository repository, int steps) {
      this.repository = repository;
      this.stepsLeft = steps;
    }

    private void step() {
      if (--stepsLeft <= 0) {
        throw new Death();
      }
    }

    @Override
    public RuleFiles read() throws IOException {
      step();
      RuleFiles files = repository.read();
      step();
      return files;
    }

    @Override
    public RuleFiles write(RuleFiles base, RuleChange change)
        throws IOException, RuleConflictException, InvalidEditException {
      step();
      RuleFiles files = repository.write(base, change);
      step();
      return files;
    }

    @Override
    public RuleFiles revert(String author) {
      throw new UnsupportedOperationException();
    }

    @Override
    public RunLease tryLease(String holder, Instant now, Duration timeToLive) throws IOException {
      step();
      RunLease lease = repository.tryLease(holder, now, timeToLive);
      step();
      return new RunLease() {
        @Override
        public boolean renew(Instant at) throws IOException {
          step();
          return lease.renew(at);
        }

        @Override
        public void close() throws IOException {
          step();
          lease.close();
        }
      };
    }

    @Override
    public String leaseHolder(Instant now) throws IOException {
      return repository.leaseHolder(now);
    }

    @Override
    public Map<String, String> notes() throws IOException {
      step();
      return repository.notes();
    }

    @Override
    public void note(Map<String, String> notes) throws IOException {
      step();
      repository.note(notes);
      step();
    }
  }
}
