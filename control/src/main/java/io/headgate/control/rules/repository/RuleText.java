package io.headgate.control.rules.repository;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.control.rules.RuleCodec;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

  /**
   * Makes edits, as if one after the other. The text is read once for all that are about different
   * rules, of which a run may change thousands.
   */
  RuleText apply(List<RuleEdit> edits) throws InvalidEditException {
    RuleText after = this;
    List<RuleEdit> together = new ArrayList<>();
    Set<String> rules = new HashSet<>();
    for (RuleEdit edit : edits) {
      boolean added = edit instanceof RuleEdit.Add;
      if (added || !rules.add(edit.service() + "/" + edit.rule())) {
        after = after.applyTogether(together);
        together.clear();
        rules.clear();
        rules.add(edit.service() + "/" + edit.rule());
      }
      together.add(edit);
      if (added) {
        after = after.applyTogether(together);
        together.clear();
        rules.clear();
      }
    }
    return after.applyTogether(together);
  }

  /** Makes edits that are about different rules, whose places in the text do not overlap. */
  private RuleText applyTogether(List<RuleEdit> edits) throws InvalidEditException {
    if (edits.isEmpty()) {
      return this;
    }
    RuleTextNodes nodes = RuleTextNodes.read(file, bytes());
    List<RuleSplice> splices = new ArrayList<>();
    for (RuleEdit edit : edits) {
      RuleSplice splice = splice(nodes, edit);
      if (splice != null) {
        splices.add(splice);
      }
    }
    return new RuleText(this, RuleSplice.all(text, splices));
  }

  private @Nullable RuleSplice splice(RuleTextNodes nodes, RuleEdit edit)
      throws InvalidEditException {
    if (edit instanceof RuleEdit.Add add) {
      return add(nodes.rules(add.service()), add.added());
    }
    MappingNode rule = nodes.rule(edit);
    if (edit instanceof RuleEdit.SetLimit set) {
      return set(rule, "limit", set.limit().toString());
    }
    if (edit instanceof RuleEdit.SetCandidate set) {
      return set.candidate() == null
          ? remove(rule, "candidate")
          : set(rule, "candidate", set.candidate().toString());
    }
    if (edit instanceof RuleEdit.SetBehavior set) {
      return set(rule, "behavior", set.behavior().toString());
    }
    return setLimitAt(rule, (RuleEdit.SetLimitAt) edit);
  }

  private RuleSplice setLimitAt(MappingNode rule, RuleEdit.SetLimitAt edit)
      throws InvalidEditException {
    String limit = edit.limit().toString();
    String key = "'" + edit.place().replace("'", "''") + "'";
    NodeTuple limits = RuleTextNodes.find(rule, "limits");
    if (limits == null
        || !(limits.getValueNode() instanceof MappingNode places)
        || places.getValue().isEmpty()) {
      return set(rule, "limits", "{ " + key + ": " + limit + " }");
    }
    NodeTuple place = RuleTextNodes.find(places, edit.place());
    return place == null
        ? insertAfter(places, last(places), key, limit)
        : replace(place.getValueNode(), limit);
  }

  private static NodeTuple last(MappingNode mapping) {
    return mapping.getValue().get(mapping.getValue().size() - 1);
  }

  private RuleSplice set(MappingNode mapping, String key, String value)
      throws InvalidEditException {
    NodeTuple there = RuleTextNodes.find(mapping, key);
    if (there != null) {
      return replace(there.getValueNode(), value);
    }
    NodeTuple limit = RuleTextNodes.find(mapping, "limit");
    if (limit == null) {
      throw new InvalidEditException(file + ": a rule without limit");
    }
    return insertAfter(mapping, limit, key, value);
  }

  private RuleSplice replace(Node value, String by) {
    return new RuleSplice(start(value), end(value), by);
  }

  private RuleSplice insertAfter(MappingNode mapping, NodeTuple before, String key, String value) {
    int end = end(before.getValueNode());
    if (mapping.getFlowStyle() == FlowStyle.FLOW) {
      return new RuleSplice(end, end, ", " + key + ": " + value);
    }
    int at = endOfLine(end);
    String indent = " ".repeat(mark(before.getKeyNode().getStartMark()).getColumn());
    return new RuleSplice(at, at, "\n" + indent + key + ": " + value);
  }

  private @Nullable RuleSplice remove(MappingNode mapping, String key) {
    NodeTuple there = RuleTextNodes.find(mapping, key);
    if (there == null) {
      return null;
    }
    int index = mapping.getValue().indexOf(there);
    int start = start(there.getKeyNode());
    int end = end(there.getValueNode());
    int line = startOfLine(start);
    boolean ownLine = mapping.getFlowStyle() != FlowStyle.FLOW && isBlank(line, start);
    if (ownLine) {
      return new RuleSplice(line, Math.min(text.length, endOfLine(end) + 1), "");
    }
    if (index + 1 < mapping.getValue().size()) {
      return new RuleSplice(start, start(mapping.getValue().get(index + 1).getKeyNode()), "");
    }
    return new RuleSplice(end(mapping.getValue().get(index - 1).getValueNode()), end, "");
  }

  private RuleSplice add(SequenceNode rules, Rule rule) throws InvalidEditException {
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
    return new RuleSplice(at, at, added);
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
