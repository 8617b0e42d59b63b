package io.headgate.control.rules.repository;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.control.rules.RuleCodec;
import io.headgate.control.rules.TrialCodec;
import io.headgate.control.yaml.Problems;
import io.headgate.control.yaml.YamlDocuments;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * The text of a rule file without mistakes. An edit changes the value that it is about, or adds or
 * takes away one key, and leaves everything else as its author wrote it: comments, order, style.
 */
final class RuleText {

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final String file;
  private final boolean marked;
  private final int[] text; // places in YAML count characters, not their halves, and no mark

  RuleText(String file, byte[] content) {
    this.file = file;
    String whole = new String(content, UTF_8);
    marked = whole.startsWith(BYTE_ORDER_MARK);
    text = (marked ? whole.substring(1) : whole).codePoints().toArray();
  }

  private RuleText(RuleText before, int[] text) {
    this.file = before.file;
    this.marked = before.marked;
    this.text = text;
  }

  byte[] bytes() {
    return ((marked ? BYTE_ORDER_MARK : "") + new String(text, 0, text.length)).getBytes(UTF_8);
  }

  /** Puts a text in the place of another; an insertion if that is empty. */
  private record Splice(int from, int to, String by) {
    static final Splice NONE = new Splice(0, 0, "");
  }

  /**
   * The text after edits of different rules, one of each at most.
   *
   * @throws InvalidEditException if an edit cannot be made
   */
  RuleText apply(List<RuleEdit> edits) throws InvalidEditException {
    Map<String, MappingNode> services = services();
    Map<String, Map<String, MappingNode>> rules = new HashMap<>();
    List<Splice> splices = new ArrayList<>();
    for (RuleEdit edit : edits) {
      Splice splice = splice(edit, services, rules);
      if (!splice.equals(Splice.NONE)) {
        splices.add(splice);
      }
    }
    splices.sort(Comparator.comparingInt(Splice::from));
    for (int i = 1; i < splices.size(); i++) {
      if (splices.get(i).from() < splices.get(i - 1).to()
          || splices.get(i).from() == splices.get(i - 1).from()) {
        throw new InvalidEditException(
            file + ": rules share a value by an alias (expected: to each rule its own)");
      }
    }
    return spliced(splices);
  }

  private RuleText spliced(List<Splice> inOrder) {
    StringBuilder after = new StringBuilder();
    int at = 0;
    for (Splice splice : inOrder) {
      after.append(new String(text, at, splice.from() - at)).append(splice.by());
      at = splice.to();
    }
    after.append(new String(text, at, text.length - at));
    return new RuleText(this, after.codePoints().toArray());
  }

  private Splice splice(
      RuleEdit edit, Map<String, MappingNode> services, Map<String, Map<String, MappingNode>> rules)
      throws InvalidEditException {
    MappingNode service = services.get(edit.service());
    if (service == null) {
      throw new InvalidEditException(file + ": has no service '" + edit.service() + "'");
    }
    if (edit instanceof RuleEdit.Add add) {
      return add(service, add.added());
    }
    Map<String, MappingNode> ofService = rules.get(edit.service());
    if (ofService == null) {
      ofService = byName(service);
      rules.put(edit.service(), ofService);
    }
    MappingNode rule = ofService.get(edit.rule());
    if (rule == null) {
      throw new InvalidEditException(
          file + ": service '" + edit.service() + "' has no rule '" + edit.rule() + "'");
    }
    if (edit instanceof RuleEdit.SetLimit set) {
      return set(rule, "limit", set.limit().toString());
    }
    if (edit instanceof RuleEdit.SetCandidate set) {
      return set.candidate() == null
          ? remove(rule, "candidate")
          : set(rule, "candidate", set.candidate().toString());
    }
    if (edit instanceof RuleEdit.SetTrial set) {
      return set.trial() == null
          ? remove(rule, "trial")
          : set(rule, "trial", TrialCodec.write(set.trial()));
    }
    if (edit instanceof RuleEdit.SetBehavior set) {
      return set(rule, "behavior", set.behavior().toString());
    }
    return setLimitAt(rule, (RuleEdit.SetLimitAt) edit);
  }

  private Splice setLimitAt(MappingNode rule, RuleEdit.SetLimitAt edit)
      throws InvalidEditException {
    NodeTuple limits = find(rule, "limits");
    if (edit.limit() == null) {
      return limits != null && limits.getValueNode() instanceof MappingNode places
          ? removeLimitAt(rule, places, edit.place())
          : Splice.NONE;
    }
    String limit = edit.limit().toString();
    String key = "'" + edit.place().replace("'", "''") + "'";
    if (limits == null
        || !(limits.getValueNode() instanceof MappingNode places)
        || places.getValue().isEmpty()) {
      return set(rule, "limits", "{ " + key + ": " + limit + " }");
    }
    NodeTuple place = find(places, edit.place());
    return place == null
        ? insertAfter(places, last(places), key, limit)
        : replace(place.getValueNode(), limit);
  }

  private Splice removeLimitAt(MappingNode rule, MappingNode places, String place) {
    boolean last = places.getValue().size() == 1 && find(places, place) != null;
    return last ? remove(rule, "limits") : remove(places, place);
  }

  private Map<String, MappingNode> services() {
    Map<String, MappingNode> services = new HashMap<>();
    for (Node document : new YamlDocuments(new Problems(file)).read(bytes())) {
      if (document instanceof MappingNode mapping) {
        String name = scalar(mapping, "service");
        if (name != null) {
          services.putIfAbsent(name, mapping);
        }
      }
    }
    return services;
  }

  private Map<String, MappingNode> byName(MappingNode service) throws InvalidEditException {
    Map<String, MappingNode> rules = new HashMap<>();
    for (Node each : rules(service).getValue()) {
      if (each instanceof MappingNode rule) {
        String name = scalar(rule, "name");
        if (name != null) {
          rules.putIfAbsent(name, rule);
        }
      }
    }
    return rules;
  }

  private SequenceNode rules(MappingNode service) throws InvalidEditException {
    NodeTuple rules = find(service, "rules");
    if (rules != null && rules.getValueNode() instanceof SequenceNode sequence) {
      return sequence;
    }
    throw new InvalidEditException(file + ": its rules are not a list");
  }

  private static @Nullable NodeTuple find(MappingNode mapping, String key) {
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

  private static NodeTuple last(MappingNode mapping) {
    return mapping.getValue().get(mapping.getValue().size() - 1);
  }

  private Splice set(MappingNode mapping, String key, String value) throws InvalidEditException {
    NodeTuple there = find(mapping, key);
    if (there != null) {
      return replace(there.getValueNode(), value);
    }
    NodeTuple limit = find(mapping, "limit");
    if (limit == null) {
      throw new InvalidEditException(file + ": a rule without limit");
    }
    NodeTuple candidate = find(mapping, "candidate");
    return insertAfter(
        mapping, key.equals("trial") && candidate != null ? candidate : limit, key, value);
  }

  private Splice replace(Node value, String by) {
    return new Splice(start(value), end(value), by);
  }

  private Splice insertAfter(MappingNode mapping, NodeTuple before, String key, String value) {
    int end = end(before.getValueNode());
    if (mapping.getFlowStyle() == FlowStyle.FLOW) {
      return new Splice(end, end, ", " + key + ": " + value);
    }
    int at = endOfLine(end);
    String indent = " ".repeat(mark(before.getKeyNode().getStartMark()).getColumn());
    return new Splice(at, at, "\n" + indent + key + ": " + value);
  }

  private Splice remove(MappingNode mapping, String key) {
    NodeTuple there = find(mapping, key);
    if (there == null) {
      return Splice.NONE;
    }
    int index = mapping.getValue().indexOf(there);
    int start = start(there.getKeyNode());
    int end = end(there.getValueNode());
    int line = startOfLine(start);
    boolean ownLine = mapping.getFlowStyle() != FlowStyle.FLOW && isBlank(line, start);
    if (ownLine) {
      return new Splice(line, Math.min(text.length, endOfLine(end) + 1), "");
    }
    if (index + 1 < mapping.getValue().size()) {
      return new Splice(start, start(mapping.getValue().get(index + 1).getKeyNode()), "");
    }
    return new Splice(end(mapping.getValue().get(index - 1).getValueNode()), end, "");
  }

  private Splice add(MappingNode service, Rule rule) throws InvalidEditException {
    SequenceNode rules = rules(service);
    String document = RuleCodec.write(List.of(new ServiceRules("s", List.of(rule))));
    List<String> lines = document.lines().skip(2).toList(); // after the service and "rules:"
    if (rules.getValue().isEmpty()) {
      return replace(rules, "\n" + String.join("\n", lines));
    }
    if (rules.getFlowStyle() == FlowStyle.FLOW) {
      throw new InvalidEditException(
          file + ": its rules are in brackets (expected: a list of lines that begin with '-')");
    }
    int indent = mark(rules.getStartMark()).getColumn();
    String added =
        lines.stream()
            .map(line -> "\n" + " ".repeat(indent) + line.substring(2))
            .collect(Collectors.joining());
    int at = endOfLine(lastEnd(rules));
    return new Splice(at, at, added);
  }

  /** The end of the last value in a node; that of a block is where the next one begins. */
  private static int lastEnd(Node node) {
    if (node instanceof SequenceNode sequence && sequence.getFlowStyle() != FlowStyle.FLOW) {
      return lastEnd(sequence.getValue().get(sequence.getValue().size() - 1));
    }
    if (node instanceof MappingNode mapping && mapping.getFlowStyle() != FlowStyle.FLOW) {
      return lastEnd(last(mapping).getValueNode());
    }
    return end(node);
  }

  private static Mark mark(Optional<Mark> mark) {
    return mark.orElseThrow(() -> new IllegalStateException("a node without a place"));
  }

  private static int start(Node node) {
    return mark(node.getStartMark()).getIndex();
  }

  private static int end(Node node) {
    return node instanceof ScalarNode
            || node instanceof SequenceNode sequence && sequence.getFlowStyle() == FlowStyle.FLOW
            || node instanceof MappingNode mapping && mapping.getFlowStyle() == FlowStyle.FLOW
        ? mark(node.getEndMark()).getIndex()
        : lastEnd(node);
  }

  private int startOfLine(int from) {
    int at = from;
    while (at > 0 && text[at - 1] != '\n') {
      at--;
    }
    return at;
  }

  private int endOfLine(int from) {
    int at = from;
    while (at < text.length && text[at] != '\n') {
      at++;
    }
    return at > from && text[at - 1] == '\r' ? at - 1 : at;
  }

  private boolean isBlank(int from, int to) {
    for (int i = from; i < to; i++) {
      if (text[i] != ' ') {
        return false;
      }
    }
    return true;
  }
}
