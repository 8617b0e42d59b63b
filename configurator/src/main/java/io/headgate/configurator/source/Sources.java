package io.headgate.configurator.source;

import io.headgate.configurator.parameters.Parameters;
import io.headgate.control.yaml.Choice;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The kinds of source that are there. */
public final class Sources {

  private Sources() {}

  /** The source that the parameters describe, or null after a mistake. */
  public static @Nullable MetricSource open(Parameters parameters, Path directory) {
    TreeMap<String, MetricSourceFactory> byKind = new TreeMap<>();
    for (MetricSourceFactory factory : ServiceLoader.load(MetricSourceFactory.class)) {
      byKind.put(factory.kind(), factory);
    }
    String kind = parameters.word("kind", new Choice(byKind.keySet().toArray(String[]::new)), "");
    MetricSourceFactory factory = byKind.get(kind);
    if (factory == null) {
      if (!parameters.has("kind")) {
        parameters.problem(
            "kind", "no kind (expected: " + String.join(", ", byKind.keySet()) + ")");
      }
      return null;
    }
    MetricSource source = factory.open(parameters, directory);
    parameters.finish();
    return source;
  }
}
