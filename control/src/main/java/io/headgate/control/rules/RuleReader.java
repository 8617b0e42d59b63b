package io.headgate.control.rules;

import io.headgate.control.yaml.Choice;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlDocuments;
import io.headgate.control.yaml.YamlMapping;
import io.headgate.control.yaml.YamlNodes;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleOptions;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads one rule file. It goes on after each mistake, so that all of them are reported at once; a
 * part with a mistake is null and its whole is left out.
 */
final class RuleReader {

  private static final int MAX_PATTERN_LENGTH = 512;

  private static final Choice SERVICE_KEYS = new Choice("service", "rules");
  private static final Choice RULE_KEYS =
      new Choice(
          "name",
          "match",
          "per",
          "limit",
          "candidate",
          "trial",
          "limits",
          "scope",
          "behavior",
          "criticality",
          "sampler",
          "whenCutOff",
          "surgeGuard");
  private static final Choice SIDES = new Choice("caller", "procedure");
  private static final Choice SCOPES = new Choice("global", "region", "zone");
  private static final Choice BEHAVIORS = new Choice("deny", "allow");

  private static final String EXPECTED_PATTERN =
      "(expected: a name, or a prefix that ends in the only '*')";

  private enum Side {
    CALLER,
    PROCEDURE
  }

  private final String file;
  private final Problems problems;
  private final RuleValues values;
  private final RuleOptionsReader optionsReader;
  private final TrialCodec trialCodec;

  RuleReader(String file, Problems problems) {
    this.file = file;
    this.problems = problems;
    values = new RuleValues(problems);
    optionsReader = new RuleOptionsReader(problems, values);
    trialCodec = new TrialCodec(problems, values);
  }

  ParsedFile read(byte[] content) {
    return read(new YamlDocuments(problems).read(content));
  }

  ParsedFile read(List<Node> documents) {
    List<ParsedFile.Service> services = new ArrayList<>();
    Map<String, Node> placeOfService = new HashMap<>();
    boolean empty = true;
    for (Node document : documents) {
      // Tools that join documents leave empty ones behind; these mean nothing.
      if (!YamlNodes.isNothing(document)) {
        empty = false;
        readService(document, services, placeOfService);
      }
    }
    if (empty && problems.isEmpty()) {
      problems.add(1, 1, "the file is empty (expected: a mapping with service and rules)");
    }
    return new ParsedFile(file, services, problems.inOrder());
  }

  private void readService(
      Node document, List<ParsedFile.Service> services, Map<String, Node> placeOfService) {
    if (!(document instanceof MappingNode node)) {
      problems.add(
          document,
          "found "
              + YamlNodes.describe(document)
              + " (expected: a mapping with service and rules)");
      return;
    }
    YamlMapping mapping = YamlMapping.of(node, SERVICE_KEYS, problems);
    Node nameNode =
        mapping.require(
            "service", "no service (expected: service, whose calls the rules are about)");
    Node rulesNode = mapping.require("rules", "no rules (expected: rules, a list)");
    String name = nameNode == null ? null : values.identifier("service", nameNode);
    Map<String, Trial> trials = new LinkedHashMap<>();
    List<Rule> rules = rulesNode == null ? null : readRules(rulesNode, trials);
    if (nameNode == null || name == null) {
      return;
    }
    Node before = placeOfService.putIfAbsent(name, nameNode);
    if (before != null) {
      problems.add(
          nameNode, "duplicate service '" + name + "' (first on " + Problems.place(before) + ")");
    } else if (rules != null) {
      services.add(
          new ParsedFile.Service(
              new ServiceRules(name, rules),
              trials,
              Problems.line(nameNode.getStartMark()),
              Problems.column(nameNode.getStartMark())));
    }
  }

  private @Nullable List<Rule> readRules(Node node, Map<String, Trial> trials) {
    if (!(node instanceof SequenceNode sequence)) {
      problems.add(
          node, "rules: found " + YamlNodes.describe(node) + " (expected: a list of rules)");
      return null;
    }
    List<Rule> rules = new ArrayList<>();
    Map<String, Node> placeOfName = new HashMap<>();
    for (Node item : sequence.getValue()) {
      if (item instanceof MappingNode mapping) {
        readRule(mapping, placeOfName, rules, trials);
      } else {
        problems.add(
            item,
            "rules: found "
                + YamlNodes.describe(item)
                + " (expected: a rule, a mapping with name and limit)");
      }
    }
    return rules;
  }

  private void readRule(
      MappingNode node,
      Map<String, Node> placeOfName,
      List<Rule> rules,
      Map<String, Trial> trials) {
    YamlMapping mapping = YamlMapping.of(node, RULE_KEYS, problems);
    Node nameNode =
        mapping.require("name", "a rule without name (expected: name, unique in its service)");
    String name = nameNode == null ? null : values.identifier("name", nameNode);
    if (nameNode != null && name != null) {
      name = unique(name, nameNode, placeOfName);
    }
    Node limitNode =
        mapping.require("limit", "a rule without limit (expected: limit, a rate such as 5000/s)");
    Match match = readMatch(mapping.get("match"));
    Set<Side> per = readPer(mapping.get("per"));
    Rate limit = limitNode == null ? null : values.rate("limit", limitNode);
    Node candidateNode = mapping.get("candidate");
    Rate candidate = candidateNode == null ? null : values.rate("candidate", candidateNode);
    Node trialNode = mapping.get("trial");
    Trial trial = trialNode == null ? null : trialCodec.read(trialNode);
    Map<String, Rate> limits = readLimits(mapping.get("limits"));
    String scope = values.word("scope", mapping.get("scope"), SCOPES, "global");
    String behavior = values.word("behavior", mapping.get("behavior"), BEHAVIORS, "deny");
    RuleOptions options = optionsReader.read(mapping);
    if (name == null
        || match == null
        || per == null
        || limit == null
        || limits == null
        || scope == null
        || behavior == null
        || options == null) {
      return;
    }
    Rule rule =
        new Rule(
            name,
            match.caller,
            match.procedure,
            per.contains(Side.CALLER),
            per.contains(Side.PROCEDURE),
            limit,
            limits,
            Scope.valueOf(scope.toUpperCase(Locale.ROOT)),
            Behavior.valueOf(behavior.toUpperCase(Locale.ROOT)),
            options);
    rules.add(rule);
    if (trial != null) {
      trials.put(name, trial);
    }
    if (candidateNode != null && candidate != null) {
      String itsName = values.identifier("candidate", name + Rule.CANDIDATE, candidateNode);
      if (itsName != null && unique(itsName, candidateNode, placeOfName) != null) {
        rules.add(rule.candidate(candidate));
      }
    }
  }

  private @Nullable String unique(String name, Node node, Map<String, Node> placeOfName) {
    Node before = placeOfName.putIfAbsent(name, node);
    if (before == null) {
      return name;
    }
    problems.add(
        node, "duplicate rule name '" + name + "' (first on " + Problems.place(before) + ")");
    return null;
  }

  private record Match(NamePattern caller, NamePattern procedure) {}

  private @Nullable Match readMatch(@Nullable Node node) {
    if (node == null) {
      return new Match(NamePattern.any(), NamePattern.any());
    }
    if (!(node instanceof MappingNode mappingNode)) {
      problems.add(
          node,
          "match: found "
              + YamlNodes.describe(node)
              + " (expected: a mapping with caller, procedure or both)");
      return null;
    }
    YamlMapping mapping = YamlMapping.of(mappingNode, SIDES, problems);
    NamePattern caller = pattern("match.caller", mapping.get("caller"));
    NamePattern procedure = pattern("match.procedure", mapping.get("procedure"));
    return caller == null || procedure == null ? null : new Match(caller, procedure);
  }

  private @Nullable NamePattern pattern(String what, @Nullable Node node) {
    if (node == null) {
      return NamePattern.any();
    }
    String text = values.text(what, node, EXPECTED_PATTERN);
    if (text == null) {
      return null;
    }
    if (text.length() > MAX_PATTERN_LENGTH
        || !text.equals(text.strip())
        || !text.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      problems.add(
          node,
          what
              + ": found "
              + YamlNodes.quote(text)
              + " (expected: 1 to "
              + MAX_PATTERN_LENGTH
              + " printable ASCII characters)");
      return null;
    }
    try {
      return NamePattern.of(text);
    } catch (IllegalArgumentException e) {
      problems.add(node, what + ": found " + YamlNodes.quote(text) + " " + EXPECTED_PATTERN);
      return null;
    }
  }

  private @Nullable Set<Side> readPer(@Nullable Node node) {
    Set<Side> per = EnumSet.noneOf(Side.class);
    if (node == null) {
      return per;
    }
    List<Node> words = node instanceof SequenceNode list ? list.getValue() : List.of(node);
    if (words.isEmpty()) {
      problems.add(node, "per: found an empty list (expected: caller, procedure or both)");
      return null;
    }
    boolean good = true;
    for (Node wordNode : words) {
      String word = values.word("per", wordNode, SIDES, "");
      if (word == null) {
        good = false;
      } else if (!per.add(Side.valueOf(word.toUpperCase(Locale.ROOT)))) {
        problems.add(wordNode, "per: found '" + word + "' twice");
        good = false;
      }
    }
    return good ? per : null;
  }

  private @Nullable Map<String, Rate> readLimits(@Nullable Node node) {
    Map<String, Rate> limits = new LinkedHashMap<>();
    if (node == null) {
      return limits;
    }
    if (!(node instanceof MappingNode mappingNode)) {
      problems.add(
          node,
          "limits: found "
              + YamlNodes.describe(node)
              + " (expected: a mapping from regions or zones to rates)");
      return null;
    }
    boolean good = true;
    for (var entry : YamlMapping.ofNames(mappingNode, problems).values().entrySet()) {
      String place = entry.getKey();
      Rate limit = values.rate("limits." + place, entry.getValue());
      if (limit == null) {
        good = false;
      } else {
        limits.put(place, limit);
      }
    }
    return good ? limits : null;
  }
}
