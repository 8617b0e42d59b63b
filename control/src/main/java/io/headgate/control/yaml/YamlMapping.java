package io.headgate.control.yaml;

import io.headgate.core.rule.Identifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** A mapping with its keys checked: each once, and only those that are known. */
public final class YamlMapping {

  private final MappingNode node;
  private final Map<String, Node> values = new LinkedHashMap<>();
  private final Set<String> misspelt = new HashSet<>();
  private final Problems problems;

  private YamlMapping(MappingNode node, Problems problems) {
    this.node = node;
    this.problems = problems;
  }

  /** A mapping of which every key is a name that somebody chose. */
  public static YamlMapping ofNames(MappingNode node, Problems problems) {
    return read(node, null, problems);
  }

  /** A mapping with these keys and no others. */
  public static YamlMapping of(MappingNode node, Choice keys, Problems problems) {
    return read(node, keys, problems);
  }

  private static YamlMapping read(MappingNode node, @Nullable Choice keys, Problems problems) {
    YamlMapping mapping = new YamlMapping(node, problems);
    Map<String, Node> first = new HashMap<>();
    for (NodeTuple entry : node.getValue()) {
      Node keyNode = entry.getKeyNode();
      if (!(keyNode instanceof ScalarNode scalar)) {
        problems.add(keyNode, "found " + YamlNodes.describe(keyNode) + " as a key");
        continue;
      }
      String key = scalar.getValue();
      Node before = first.putIfAbsent(key, keyNode);
      if (before != null) {
        problems.add(
            keyNode,
            "duplicate key " + YamlNodes.quote(key) + " (first on " + Problems.place(before) + ")");
      } else if (keys == null ? Identifier.isValid(key) : keys.contains(key)) {
        mapping.values.put(key, entry.getValueNode());
      } else if (keys == null) {
        problems.add(
            keyNode,
            "found " + YamlNodes.quote(key) + " as a key (expected: " + Identifier.EXPECTED + ")");
      } else {
        problems.add(keyNode, "unknown key " + YamlNodes.quote(key) + " " + keys.expected(key));
        String meant = keys.nearest(key);
        if (meant != null) {
          mapping.misspelt.add(meant);
        }
      }
    }
    return mapping;
  }

  /** The values by key, in the order of the file. */
  public Map<String, Node> values() {
    return values;
  }

  /** The value of a key, or null if it is not there. */
  public @Nullable Node get(String key) {
    return values.get(key);
  }

  /** The value of a key that must be there, or null after having said that it is not. */
  public @Nullable Node require(String key, String problem) {
    Node value = values.get(key);
    // A misspelt key has been reported; that it is missing too would be the same problem again.
    if (value == null && !misspelt.contains(key)) {
      problems.add(node, problem);
    }
    return value;
  }
}
