package io.headgate.configurator.run;

import io.headgate.configurator.plan.ConfigReader;
import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.control.status.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A configuration in a file, read again when it or its calendar has changed. One with mistakes
 * never replaces a good one.
 */
public final class ConfigFile implements Configs {

  private static final Logger log = LoggerFactory.getLogger(ConfigFile.class);

  private final Path file;
  private ConfiguratorConfig current;
  private List<Path> files;
  private List<FileProblem> problems = List.of();
  private String stamp;

  private ConfigFile(Path file, ConfiguratorConfig first, List<Path> files) {
    this.file = file;
    this.current = first;
    this.files = files;
    this.stamp = stamp(files);
  }

  /** A file that cannot be used, with all that is wrong with it. */
  public static final class InvalidConfigException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Lines of text, each with its place. */
    InvalidConfigException(List<FileProblem> problems) {
      super(String.join("\n", problems.stream().map(FileProblem::toString).toList()));
    }
  }

  /**
   * Reads a file.
   *
   * @throws InvalidConfigException if it has mistakes
   */
  public static ConfigFile open(Path file) throws InvalidConfigException {
    ConfigReader.Reading reading = ConfigReader.read(file);
    ConfiguratorConfig config = reading.config();
    if (config == null) {
      throw new InvalidConfigException(reading.problems());
    }
    return new ConfigFile(file, config, reading.files());
  }

  @Override
  public ConfiguratorConfig current() {
    String now = stamp(files);
    if (!now.equals(stamp)) {
      ConfigReader.Reading reading = ConfigReader.read(file);
      files = reading.files();
      stamp = stamp(files);
      problems = reading.problems();
      ConfiguratorConfig config = reading.config();
      if (config != null) {
        current.source().close();
        current = config;
        log.info("{} has changed, and is in force", file);
      }
      for (FileProblem problem : problems) {
        log.warn("{}; the configuration before stays in force", problem);
      }
    }
    return current;
  }

  @Override
  public int problems() {
    return problems.size();
  }

  /** Changes with the files. */
  private static String stamp(List<Path> files) {
    StringBuilder stamp = new StringBuilder();
    for (Path file : files) {
      try {
        stamp.append(file).append(Files.getLastModifiedTime(file)).append(Files.size(file));
      } catch (IOException e) {
        stamp.append("cannot be read"); // reading it says why
      }
    }
    return stamp.toString();
  }

  @Override
  public void close() {
    current.source().close();
  }
}
