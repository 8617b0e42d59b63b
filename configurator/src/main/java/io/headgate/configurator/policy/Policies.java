package io.headgate.configurator.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.configurator.parameters.Parameters;
import io.headgate.control.yaml.Choice;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlDocuments;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.nodes.Node;

/** The policies that are there: those of Headgate and what others have added. */
public final class Policies {

  private static final String DEFAULT = "peak";

  private final SortedMap<String, PolicyFactory> byName = new TreeMap<>();

  private Policies() {
    for (PolicyFactory factory : ServiceLoader.load(PolicyFactory.class)) {
      byName.put(factory.name(), factory);
    }
  }

  /** Finds them. */
  public static Policies load() {
    return new Policies();
  }

  /** Their names. */
  public Set<String> names() {
    return byName.keySet();
  }

  /** The default policy as it is without parameters. */
  public LimitPolicy byDefault() {
    return PeakPolicy.DEFAULT;
  }

  /**
   * A policy with its default parameters.
   *
   * @throws IllegalArgumentException if there is none of this name, or it has parameters without a
   *     default
   */
  public LimitPolicy withDefaults(String name) {
    Problems problems = new Problems("policy");
    byte[] yaml = ("name: '" + name.replace("'", "''") + "'").getBytes(UTF_8);
    List<Node> documents = new YamlDocuments(problems).read(yaml);
    LimitPolicy policy = byDefault();
    if (!documents.isEmpty()) {
      policy = create(Parameters.of(documents.get(0), problems));
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("policy: " + problems.inOrder().get(0).message());
    }
    return policy;
  }

  /** The policy of the parameter {@code name}; the default one if there is none or a mistake. */
  public LimitPolicy create(Parameters parameters) {
    String name =
        parameters.word("name", new Choice(byName.keySet().toArray(String[]::new)), DEFAULT);
    PolicyFactory factory = byName.get(name);
    if (factory == null) {
      return byDefault();
    }
    LimitPolicy policy = factory.create(parameters);
    parameters.finish();
    return policy;
  }
}
