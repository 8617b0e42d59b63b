package io.headgate.envoy.bootstrap;

/** Writes what people chose into YAML so that it means itself. */
final class Yaml {

  private Yaml() {}

  /** A double-quoted scalar, which every text has. */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
              } else if (c < ' ' || c > '~') {
                quoted.append("\\U%08X".formatted(c));
              } else {
                quoted.appendCodePoint(c);
              }
            });
    return quoted.append('"').toString();
  }

  /** A text in one of Envoy's format strings, in which a percent sign begins an operator. */
  static String literal(String text) {
    return text.replace("%", "%%");
  }
}
