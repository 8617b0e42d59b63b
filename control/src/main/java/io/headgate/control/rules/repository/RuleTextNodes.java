package io.headgate.control.rules.repository;

import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlDocuments;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Where services and rules are in a text without mistakes. */
final class RuleTextNodes {

  private final String file;
  private final Map<String, MappingNode> services = new HashMap<>();
  private final Map<String, MappingNode> rules = new HashMap<>();

  private RuleTextNodes(String file) {
    this.file = file;
  }

  static RuleTextNodes read(String file, byte[] content) {
    RuleTextNodes nodes = new RuleTextNodes(file);
    for (Node document : new YamlDocuments(new Problems(file)).read(content)) {
      if (document instanceof MappingNode service) {
        nodes.add(service);
      }
    }
    return nodes;
  }

  private void add(MappingNode service) {
    String name = scalar(service, "service");
    if (name == null || services.putIfAbsent(name, service) != null) {
      return;
    }
    NodeTuple tuple = find(service, "rules");
    if (tuple != null && tuple.getValueNode() instanceof SequenceNode sequence) {
      for (Node each : sequence.getValue()) {
        if (each instanceof MappingNode rule) {
          rules.putIfAbsent(name + "/" + scalar(rule, "name"), rule);
        }
      }
    }
  }

  /** The rule that an edit is about. */
  MappingNode rule(RuleEdit edit) throws InvalidEditException {
    rules(edit.service());
    MappingNode rule = rules.get(edit.service() + "/" + edit.rule());
    if (rule == null) {
      throw new InvalidEditException(
          file + ": service '" + edit.service() + "' has no rule '" + edit.rule() + "'");
    }
    return rule;
  }

  /** The rules of a service. */
  SequenceNode rules(String service) throws InvalidEditException {
    MappingNode mapping = services.get(service);
    if (mapping == null) {
      throw new InvalidEditException(file + ": has no service '" + service + "'");
    }
    NodeTuple tuple = find(mapping, "rules");
    if (tuple != null && tuple.getValueNode() instanceof SequenceNode sequence) {
      return sequence;
    }
    throw new InvalidEditException(file + ": its rules are not a list");
  }

  static @Nullable NodeTuple find(MappingNode mapping, String key) {
    for (NodeTuple tuple : mapping.getValue()) {
      if (tuple.getKeyNode() instanceof ScalarNode scalar && scalar.getValue().equals(key)) {
        return tuple;
      }
    }
    return null;
  }

  private static @Nullable String scalar(MappingNode mapping, String key) {
    NodeTuple found = find(mapping, key);
    return found != null && found.getValueNode() instanceof ScalarNode scalar
        ? scalar.getValue()
        : null;
  }
}
