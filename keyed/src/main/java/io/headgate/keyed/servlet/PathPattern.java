package io.headgate.keyed.servlet;

import java.util.List;

/**
 * Paths of requests: {@code /api/transfers} is itself, {@code *} stands for one segment, and a last
 * {@code **} for any number of them.
 */
final class PathPattern {

  private static final String ONE = "*";
  private static final String ANY = "**";

  private final String text;
  private final List<String> segments;

  /**
   * @throws IllegalArgumentException if the pattern is none
   */
  PathPattern(String text) {
    this.text = text;
    segments = segments(text);
    int any = segments.indexOf(ANY);
    if (!text.startsWith("/") || (any >= 0 && any < segments.size() - 1)) {
      throw new IllegalArgumentException(
          "path: '" + text + "' (expected: /a/b, with * for a segment, or ** at the end)");
    }
  }

  boolean matches(String path) {
    List<String> parts = segments(path);
    for (int i = 0; i < segments.size(); i++) {
      String expected = segments.get(i);
      if (expected.equals(ANY)) {
        return true;
      }
      if (i >= parts.size() || !(expected.equals(ONE) || expected.equals(parts.get(i)))) {
        return false;
      }
    }
    return parts.size() == segments.size();
  }

  /** Without empty ones, so that neither a last slash nor a double one evades a limit. */
  private static List<String> segments(String path) {
    return List.of(path.split("/")).stream().filter(segment -> !segment.isEmpty()).toList();
  }

  @Override
  public String toString() {
    return text;
  }
}
