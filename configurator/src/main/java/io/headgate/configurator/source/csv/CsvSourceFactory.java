package io.headgate.configurator.source.csv;

import io.headgate.configurator.parameters.Parameters;
import io.headgate.configurator.source.MetricSource;
import io.headgate.configurator.source.MetricSourceFactory;
import java.nio.file.Path;
import java.time.Duration;

/**
 * {@code kind: csv}: a file a rule, {@code DIRECTORY/SERVICE/RULE.csv}; for a region or zone {@code
 * RULE@NAME.csv}.
 */
public final class CsvSourceFactory implements MetricSourceFactory {

  @Override
  public String kind() {
    return "csv";
  }

  @Override
  public MetricSource open(Parameters parameters, Path directory) {
    Path files = directory.resolve(parameters.text("directory"));
    Duration countedOver = parameters.duration("countedOver", Duration.ofSeconds(1));
    if (countedOver.isZero()) {
      parameters.problem("countedOver", "countedOver: found no time (expected: 1s or more)");
    }
    return new CsvSource(files, Math.max(1, countedOver.toSeconds()));
  }
}
