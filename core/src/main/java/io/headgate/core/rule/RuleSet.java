package io.headgate.core.rule;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All rules in force at one moment.
 *
 * @param version grows with every change; 0 means that there have been no rules yet
 * @param digest equal for equal rules, whatever their version
 * @param services the rules by service
 */
public record RuleSet(long version, String digest, Map<String, ServiceRules> services) {

  /** No rules yet. */
  public static final RuleSet NONE = of(0, List.of());

  public RuleSet {
    services = Map.copyOf(services);
  }

  /**
   * A rule set of these services.
   *
   * @throws IllegalArgumentException if a service is there twice
   */
  public static RuleSet of(long version, List<ServiceRules> services) {
    SortedMap<String, ServiceRules> byName = new TreeMap<>();
    for (ServiceRules service : services) {
      if (byName.put(service.service(), service) != null) {
        throw new IllegalArgumentException("service: '" + service.service() + "' is there twice");
      }
    }
    return new RuleSet(version, digest(byName), byName);
  }

  /** The rule of this name, or null if there is none. */
  public @Nullable Rule rule(String service, String name) {
    ServiceRules rules = services.get(service);
    if (rules == null) {
      return null;
    }
    for (Rule rule : rules.rules()) {
      if (rule.name().equals(name)) {
        return rule;
      }
    }
    return null;
  }

  /** The same rules under another version. */
  public RuleSet withVersion(long version) {
    return new RuleSet(version, digest, services);
  }

  private static String digest(SortedMap<String, ServiceRules> services) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(services.toString().getBytes(UTF_8));
      return HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
