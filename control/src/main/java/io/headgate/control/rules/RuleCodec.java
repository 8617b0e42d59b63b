package io.headgate.control.rules;

import io.headgate.core.rule.ServiceRules;
import java.util.Collection;

/** Rules as YAML: one document a service. */
public final class RuleCodec {

  /** The largest file that is read. */
  public static final int MAX_FILE_BYTES = 4 * 1024 * 1024;

  private RuleCodec() {}

  /**
   * Reads a rule file. Nothing that it may hold makes this throw: all mistakes come back as
   * problems.
   *
   * @param name the file's name, for the problems
   * @param content its bytes
   */
  public static ParsedFile read(String name, byte[] content) {
    return new RuleReader(name).read(content);
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
