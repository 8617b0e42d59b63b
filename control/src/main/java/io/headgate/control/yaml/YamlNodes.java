package io.headgate.control.yaml;

import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** What YAML nodes are called in messages. */
public final class YamlNodes {

  private static final int MAX_QUOTED = 60;

  private YamlNodes() {}

  /** Whether there is no value. */
  public static boolean isNothing(Node node) {
    return node instanceof ScalarNode && node.getTag().equals(Tag.NULL);
  }

  /** What a node is, for a message that says what was found. */
  public static String describe(Node node) {
    if (node instanceof MappingNode) {
      return "a mapping";
    }
    if (node instanceof SequenceNode) {
      return "a list";
    }
    return isNothing(node) ? "nothing" : quote(((ScalarNode) node).getValue());
  }

  /** The text in quotes on one line, cut when it is long. */
  public static String quote(String text) {
    StringBuilder quoted = new StringBuilder("'");
    text.codePoints()
        .limit(MAX_QUOTED)
        .forEach(
            c -> {
              if (c <= '~' ? c < ' ' : !Character.isLetterOrDigit(c)) {
                quoted.append("\\u{%X}".formatted(c));
              } else {
                quoted.appendCodePoint(c);
              }
            });
    return quoted.append(text.length() > MAX_QUOTED ? "...'" : "'").toString();
  }
}
