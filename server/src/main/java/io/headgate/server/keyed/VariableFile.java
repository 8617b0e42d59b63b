package io.headgate.server.keyed;

import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A file of variables: {@code KEY=VALUE} a line, with {@code #} before comments. */
public final class VariableFile {

  private VariableFile() {}

  /**
   * Reads one.
   *
   * @throws UserError if it cannot be read, or a line is something else; the message says which
   */
  public static Map<String, String> read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw UserError.usage("--config: '" + file + "' cannot be read (expected: a text file)");
    }
    Map<String, String> variables = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int equals = line.indexOf('=');
      if (equals <= 0) {
        throw UserError.usage(
            file + ", line " + (i + 1) + ": '" + line + "' (expected: KEY=VALUE)");
      }
      variables.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
    }
    return variables;
  }
}
