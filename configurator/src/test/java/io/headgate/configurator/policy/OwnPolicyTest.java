package io.headgate.configurator.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.configurator.Traffic;
import io.headgate.configurator.history.Calendar;
import io.headgate.configurator.history.Cleaning;
import io.headgate.configurator.history.History;
import io.headgate.configurator.parameters.Parameters;
import io.headgate.configurator.series.Series;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The policy of {@code docs/configurator.md}, in a place of its own on the class path. */
class OwnPolicyTest {

  /** What the page shows. */
  public static final class MedianPolicy implements PolicyFactory {

    @Override
    public String name() {
      return "median-peak";
    }

    @Override
    public LimitPolicy create(Parameters parameters) {
      double buffer = parameters.number("buffer", 1.5, 1, 100);
      return (history, outlook) -> {
        double[] peaks = history.usualPeaks();
        Arrays.sort(peaks);
        return Estimate.learned(
            peaks[peaks.length / 2] * buffer, "median of the daily peaks x " + buffer);
      };
    }
  }

  @Test
  void aPolicyOnTheClassPathIsFoundByItsName(@TempDir Path directory) throws Exception {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(PolicyFactory.class.getName()), MedianPolicy.class.getName());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader withIt =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
      thread.setContextClassLoader(withIt);
      Policies policies = Policies.load();

      assertThat(policies.names()).contains("median-peak", "peak");
      Series offered = Traffic.days(28);
      History history =
          new Cleaning(Calendar.EMPTY, false)
              .clean(Traffic.limit(1), offered, Traffic.nothing(offered));
      assertThat(
              policies
                  .withDefaults("median-peak")
                  .estimate(history, new Outlook(offered.range().toSecond(), Series.DAY, 1))
                  .perSecond())
          .isCloseTo(1.5 * 1040, within(40.0));
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
