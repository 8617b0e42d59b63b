package io.headgate.server.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the {@link Fleet}, which is started for the first and ended after the last. */
final class OnSharedFleet implements ParameterResolver {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(OnSharedFleet.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Fleet.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(Running.class, type -> Running.start(), Running.class)
        .fleet;
  }

  private record Running(Path directory, Fleet fleet)
      implements ExtensionContext.Store.CloseableResource, AutoCloseable {

    static Running start() {
      try {
        Path directory = Files.createTempDirectory("headgate-e2e-");
        return new Running(directory, Fleet.start(directory));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while the fleet started", e);
      }
    }

    @Override
    public void close() throws IOException {
      fleet.close();
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
