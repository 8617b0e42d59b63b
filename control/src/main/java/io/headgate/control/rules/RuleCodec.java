package io.headgate.control.rules;

import io.headgate.control.yaml.Problems;
import io.headgate.core.rule.ServiceRules;
import java.util.Collection;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;

/** Rules as YAML: one document a service. */
public final class RuleCodec {

  private RuleCodec() {}

  /**
   * Reads a rule file. Nothing that it may hold makes this throw: all mistakes come back as
   * problems.
   *
   * @param name the file's name, for the problems
   * @param content its bytes
   */
  public static ParsedFile read(String name, byte[] content) {
    return new RuleReader(name, new Problems(name)).read(content);
  }

  /**
   * Reads the services in documents that are a part of another file.
   *
   * @param file the file's name
   * @param problems gets what is wrong
   */
  public static List<ServiceRules> read(String file, List<Node> documents, Problems problems) {
    return new RuleReader(file, problems)
        .read(documents).services().stream().map(ParsedFile.Service::rules).toList();
  }

  /** Services in canonical form. {@link #read} gives equal services again. */
  public static String write(Collection<ServiceRules> services) {
    StringBuilder yaml = new StringBuilder();
    for (ServiceRules service : services) {
      if (!yaml.isEmpty()) {
        yaml.append("---\n");
      }
      RuleWriter.append(service, yaml);
    }
    return yaml.toString();
  }
}
