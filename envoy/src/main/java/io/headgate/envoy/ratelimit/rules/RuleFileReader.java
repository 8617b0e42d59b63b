package io.headgate.envoy.ratelimit.rules;

import io.headgate.control.yaml.Choice;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlDocuments;
import io.headgate.control.yaml.YamlMapping;
import io.headgate.control.yaml.YamlNodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads one file in the form that envoyproxy/ratelimit documents into the rules of its domain. It
 * goes on after each mistake, so that all of them are reported at once.
 */
final class RuleFileReader {

  private static final Choice ROOT_KEYS = new Choice("domain", "descriptors");
  private static final Choice DESCRIPTOR_KEYS =
      new Choice(
          "key",
          "value",
          "rate_limit",
          "descriptors",
          "shadow_mode",
          "quota_mode",
          "detailed_metric",
          "value_to_metric",
          "share_threshold",
          "metadata");

  private final Problems problems;
  private final RuleFileValues values;
  private final RateLimitReader limits;
  private int limitsRead;

  RuleFileReader(Problems problems, LimitCheck check) {
    this.problems = problems;
    values = new RuleFileValues(problems);
    limits = new RateLimitReader(problems, values, check);
  }

  /** How many descriptors with a limit were read. */
  int limitsRead() {
    return limitsRead;
  }

  /** Where a domain's rules go, or null after having said that it has them already. */
  interface Domains {
    @Nullable RuleNode domain(String name, Node place);
  }

  void read(byte[] content, Domains domains) {
    List<Node> documents = new ArrayList<>(new YamlDocuments(problems).read(content));
    documents.removeIf(YamlNodes::isNothing); // tools that join documents leave empty ones behind
    if (documents.isEmpty() && problems.isEmpty()) {
      problems.add(1, 1, "the file is empty (expected: a mapping with domain and descriptors)");
    }
    for (int i = 1; i < documents.size(); i++) {
      problems.add(documents.get(i), "a second document (expected: one domain a file)");
    }
    if (!documents.isEmpty()) {
      readDomain(documents.get(0), domains);
    }
  }

  private void readDomain(Node document, Domains domains) {
    if (!(document instanceof MappingNode node)) {
      problems.add(
          document,
          "found "
              + YamlNodes.describe(document)
              + " (expected: a mapping with domain and descriptors)");
      return;
    }
    YamlMapping mapping = YamlMapping.of(node, ROOT_KEYS, problems);
    Node nameNode =
        mapping.require("domain", "no domain (expected: domain, as Envoy's filter has it)");
    String name = nameNode == null ? null : values.name("domain", nameNode);
    RuleNode domain = nameNode == null || name == null ? null : domains.domain(name, nameNode);
    readDescriptors(
        mapping.get("descriptors"),
        domain == null ? RuleNode.domain() : domain,
        name == null ? "" : name);
  }

  private void readDescriptors(@Nullable Node node, RuleNode parent, String path) {
    if (node == null || YamlNodes.isNothing(node)) {
      return;
    }
    if (!(node instanceof SequenceNode sequence)) {
      problems.add(
          node,
          "descriptors: found " + YamlNodes.describe(node) + " (expected: a list of descriptors)");
      return;
    }
    Map<List<String>, Node> places = new HashMap<>();
    for (Node item : sequence.getValue()) {
      if (item instanceof MappingNode descriptor) {
        readDescriptor(descriptor, parent, path, places);
      } else {
        problems.add(
            item,
            "descriptors: found "
                + YamlNodes.describe(item)
                + " (expected: a descriptor, a mapping with key)");
      }
    }
  }

  private void readDescriptor(
      MappingNode node, RuleNode parent, String parentPath, Map<List<String>, Node> places) {
    YamlMapping mapping = YamlMapping.of(node, DESCRIPTOR_KEYS, problems);
    Node keyNode = mapping.require("key", "a descriptor without key (expected: key)");
    String key = keyNode == null ? null : values.name("key", keyNode);
    String value = values.optionalText("value", mapping.get("value"));
    boolean sharesThreshold = values.flag("share_threshold", mapping.get("share_threshold"));
    boolean valueToMetric = values.flag("value_to_metric", mapping.get("value_to_metric"));
    if (sharesThreshold && !Glob.isGlob(value)) {
      problems.add(
          mapping.values().getOrDefault("share_threshold", node),
          "share_threshold without a pattern (expected: a value with '*', whose matches share)");
    }
    String path = parentPath + "." + key + (value.isEmpty() ? "" : "_" + value);
    RuleNode descriptor = RuleNode.domain();
    if (keyNode != null && key != null) {
      Node before = places.putIfAbsent(List.of(key, value), keyNode);
      if (before != null || parent.get(key, value) != null) {
        problems.add(
            keyNode,
            "duplicate descriptor "
                + YamlNodes.quote(path)
                + (before == null
                    ? " (first in another file of the domain)"
                    : " (first on " + Problems.place(before) + ")"));
      } else {
        descriptor = parent.add(key, value, valueToMetric, sharesThreshold);
      }
    }
    RateLimit limit = limits.read(mapping, path);
    if (limit != null) {
      descriptor.limit(limit);
      limitsRead++;
    }
    readDescriptors(mapping.get("descriptors"), descriptor, path);
  }
}
