package io.headgate.configurator.source;

import io.headgate.configurator.parameters.Parameters;
import java.nio.file.Path;

/** Makes sources of one kind. Found by {@link java.util.ServiceLoader}. */
public interface MetricSourceFactory {

  /** The word by which it is chosen: {@code source: { kind: WORD }}. */
  String kind();

  /**
   * A source as somebody has set it up. It is used only if no problem was found in the parameters,
   * and need not be ready before it is read.
   *
   * @param directory what file names in the parameters are relative to
   */
  MetricSource open(Parameters parameters, Path directory);
}
