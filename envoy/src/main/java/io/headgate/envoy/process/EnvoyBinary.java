package io.headgate.envoy.process;

import io.headgate.envoy.bootstrap.EnvoyBootstrap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The program Envoy. It is looked for in {@code .headgate/envoy/VERSION}, where {@code
 * tools/install-envoy} puts it, of the directories above the working directory and above this
 * program; then on the path.
 *
 * @param file the executable
 * @param version such as {@code 1.40.0}
 */
public record EnvoyBinary(Path file, String version) {

  /** The newest that Headgate has been tried with. */
  public static final String NEWEST = "1.40.0";

  /** The oldest that Headgate works with. */
  public static final String OLDEST = "1.37.0";

  private static final Path INSTALLED = Path.of(".headgate", "envoy");
  private static final Path IN_PACKAGE = Path.of("envoy", "_bin", "envoy");
  private static final Pattern VERSION = Pattern.compile("/(\\d+)\\.(\\d+)\\.(\\d+)[^/]*/");

  /**
   * The Envoy of this version.
   *
   * @throws IllegalStateException if there is none; the message says how to get it
   */
  public static EnvoyBinary of(String version) {
    return found()
        .filter(binary -> binary.version().equals(version))
        .findFirst()
        .orElseThrow(() -> missing(version, version));
  }

  /**
   * The first Envoy found that Headgate works with.
   *
   * @throws IllegalStateException if there is none; the message says how to get it
   */
  public static EnvoyBinary any() {
    return found()
        .filter(EnvoyBinary::isNewEnough)
        .findFirst()
        .orElseThrow(() -> missing(OLDEST + " or newer", NEWEST));
  }

  /** The program in {@code file}; empty if it is not an Envoy that can be run here. */
  public static Optional<EnvoyBinary> at(Path file) {
    Matcher matcher = VERSION.matcher(run(List.of(file.toString(), "--version")).output());
    return matcher.find()
        ? Optional.of(
            new EnvoyBinary(
                file, matcher.group(1) + "." + matcher.group(2) + "." + matcher.group(3)))
        : Optional.empty();
  }

  /**
   * What this Envoy says against a bootstrap; empty if it accepts it.
   *
   * @param bootstrap YAML
   */
  public Optional<String> validate(String bootstrap) {
    try {
      Path config = Files.createTempFile("headgate-envoy", ".yaml");
      try {
        Files.writeString(config, bootstrap);
        Ran ran =
            run(
                List.of(
                    file.toString(),
                    "--mode",
                    "validate",
                    "--disable-hot-restart",
                    "--log-level",
                    "warning",
                    "-c",
                    config.toString()));
        return ran.exitCode() == 0 ? Optional.empty() : Optional.of(ran.output());
      } finally {
        Files.deleteIfExists(config);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("envoy: no temporary file for its configuration", e);
    }
  }

  /** Its minor version, such as 40. */
  public int minor() {
    return Integer.parseInt(version.split("\\.", -1)[1]);
  }

  private boolean isNewEnough() {
    return version.startsWith("1.") && minor() >= EnvoyBootstrap.OLDEST_MINOR;
  }

  private static IllegalStateException missing(String expected, String version) {
    return new IllegalStateException(
        "envoy: not found in .headgate/envoy or on the path (expected: "
            + expected
            + "; install it with: tools/install-envoy "
            + version
            + ")");
  }

  private static Stream<EnvoyBinary> found() {
    return candidates().stream()
        .filter(Files::isExecutable)
        .map(EnvoyBinary::at)
        .flatMap(Optional::stream);
  }

  /** Newest first in each place. */
  private static List<Path> candidates() {
    List<Path> candidates = new ArrayList<>();
    for (Path start : List.of(Path.of("").toAbsolutePath(), home())) {
      for (@Nullable Path above = start; above != null; above = above.getParent()) {
        Path installed = above.resolve(INSTALLED);
        versions(installed).forEach(version -> candidates.add(version.resolve(IN_PACKAGE)));
      }
    }
    @Nullable String path = System.getenv("PATH");
    for (String directory : path == null ? new String[0] : path.split(":", -1)) {
      candidates.add(Path.of(directory.isEmpty() ? "." : directory, "envoy"));
    }
    return candidates;
  }

  private static List<Path> versions(Path installed) {
    if (!Files.isDirectory(installed)) {
      return List.of();
    }
    try (Stream<Path> versions = Files.list(installed)) {
      return versions.sorted(Comparator.reverseOrder()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(installed + ": cannot be listed", e);
    }
  }

  /** Where this program lies: a started one has any working directory. */
  private static Path home() {
    @Nullable CodeSource source = EnvoyBinary.class.getProtectionDomain().getCodeSource();
    try {
      return source == null
          ? Path.of("").toAbsolutePath()
          : Path.of(source.getLocation().toURI()).toAbsolutePath();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(source + ": not a place of a program", e);
    }
  }

  private record Ran(int exitCode, String output) {}

  private static Ran run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return new Ran(process.waitFor(), output);
    } catch (IOException e) {
      return new Ran(-1, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Ran(-1, "interrupted");
    }
  }
}
