package io.headgate.envoy.ratelimit.rules;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlNodes;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads single values; what is wrong with one becomes a problem. */
final class RuleFileValues {

  private final Problems problems;

  RuleFileValues(Problems problems) {
    this.problems = problems;
  }

  /** A text that is not empty, or null after having said that it is something else. */
  @Nullable String name(String what, Node node) {
    if (node instanceof ScalarNode scalar
        && !YamlNodes.isNothing(node)
        && !scalar.getValue().isEmpty()) {
      return scalar.getValue();
    }
    problems.add(node, what + ": found " + YamlNodes.describe(node) + " (expected: a text)");
    return null;
  }

  /** A text; empty if it is not there. */
  String optionalText(String what, @Nullable Node node) {
    if (node == null || YamlNodes.isNothing(node)) {
      return "";
    }
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    problems.add(node, what + ": found " + YamlNodes.describe(node) + " (expected: a text)");
    return "";
  }

  /** Yes or no, in the spellings of YAML 1.1, which envoyproxy/ratelimit reads; no if not there. */
  boolean flag(String what, @Nullable Node node) {
    if (node == null || YamlNodes.isNothing(node)) {
      return false;
    }
    if (node instanceof ScalarNode scalar) {
      switch (scalar.getValue().toLowerCase(Locale.ROOT)) {
        case "true", "yes", "on" -> {
          return true;
        }
        case "false", "no", "off" -> {
          return false;
        }
        default -> {
          // told below
        }
      }
    }
    problems.add(node, what + ": found " + YamlNodes.describe(node) + " (expected: true or false)");
    return false;
  }

  /** Anything at all, as messages have it. */
  Struct struct(MappingNode node) {
    Struct.Builder struct = Struct.newBuilder();
    for (NodeTuple entry : node.getValue()) {
      if (entry.getKeyNode() instanceof ScalarNode key) {
        struct.putFields(key.getValue(), value(entry.getValueNode()));
      } else {
        problems.add(
            entry.getKeyNode(), "found " + YamlNodes.describe(entry.getKeyNode()) + " as a key");
      }
    }
    return struct.build();
  }

  private Value value(Node node) {
    if (node instanceof MappingNode mapping) {
      return Value.newBuilder().setStructValue(struct(mapping)).build();
    }
    if (node instanceof SequenceNode sequence) {
      ListValue.Builder list = ListValue.newBuilder();
      sequence.getValue().forEach(item -> list.addValues(value(item)));
      return Value.newBuilder().setListValue(list).build();
    }
    return scalar((ScalarNode) node);
  }

  private static Value scalar(ScalarNode node) {
    String text = node.getValue();
    if (node.getTag().equals(Tag.NULL)) {
      return Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build();
    }
    if (node.getTag().equals(Tag.BOOL)) {
      return Value.newBuilder().setBoolValue(Boolean.parseBoolean(text)).build();
    }
    if (node.getTag().equals(Tag.INT) || node.getTag().equals(Tag.FLOAT)) {
      try {
        return Value.newBuilder().setNumberValue(Double.parseDouble(text)).build();
      } catch (NumberFormatException e) {
        // such as 0x1F, which then is a text
      }
    }
    return Value.newBuilder().setStringValue(text).build();
  }
}
