package io.headgate.server.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What the program was built from.
 *
 * @param version the released version, or a snapshot of the next
 * @param commit the commit, or {@code unknown} where it was built outside of a repository
 */
public record BuildInfo(String version, String commit) {

  /** Reads what the build has written. */
  public static BuildInfo load() {
    Properties properties = new Properties();
    try (@Nullable InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new BuildInfo(
        properties.getProperty("version", "unknown"), properties.getProperty("commit", "unknown"));
  }
}
