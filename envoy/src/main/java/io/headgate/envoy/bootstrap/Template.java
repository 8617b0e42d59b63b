package io.headgate.envoy.bootstrap;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A text with {@code {{names}}} to be filled in. Where a name stands alone on its line, a text of
 * several lines takes its place, indented like it, and an empty text removes the line.
 */
final class Template {

  private static final Pattern NAME = Pattern.compile("\\{\\{(\\w+)}}");
  private static final Pattern LINE = Pattern.compile("( *)\\{\\{(\\w+)}}");

  private final String name;
  private final String text;

  private Template(String name, String text) {
    this.name = name;
    this.text = text;
  }

  /** The template in a file beside this class. */
  static Template of(String name) {
    try (@Nullable InputStream in = Template.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + ": not in the program");
      }
      return new Template(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  /** The text with all names filled in. */
  String fill(Map<String, String> values) {
    return text.lines().map(line -> fill(line, values)).collect(Collectors.joining());
  }

  private String fill(String line, Map<String, String> values) {
    Matcher alone = LINE.matcher(line);
    if (alone.matches()) {
      return value(alone.group(2), values)
          .lines()
          .map(inner -> (alone.group(1) + inner).stripTrailing() + "\n")
          .collect(Collectors.joining());
    }
    return NAME.matcher(line)
            .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), values)))
        + "\n";
  }

  private String value(String key, Map<String, String> values) {
    String value = values.get(key);
    if (value == null) {
      throw new IllegalStateException(name + ": nothing for {{" + key + "}}");
    }
    return value;
  }
}
