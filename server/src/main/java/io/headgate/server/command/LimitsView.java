package io.headgate.server.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.headgate.configurator.backtest.BackTestResult;
import io.headgate.configurator.plan.ChangeSet;
import io.headgate.configurator.plan.Commitment;
import io.headgate.configurator.plan.LimitDecision;
import io.headgate.configurator.plan.PolicyComparison;
import io.headgate.core.rule.Rate;
import io.headgate.server.terminal.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a run of the configurator comes to, for people and for programs. */
final class LimitsView {

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private static final int MAX_NAME = 48;
  private static final int MAX_REASON = 400;

  private LimitsView() {}

  /** A table of all decisions, what services have promised, and a line that counts. */
  static List<String> lines(ChangeSet changes) {
    TextTable table =
        new TextTable()
            .text("LIMIT", MAX_NAME)
            .number("NOW")
            .number("NEW")
            .number("CHANGE")
            .number("FALSE DROPS")
            .text("", 8)
            .text("REASON", MAX_REASON);
    for (LimitDecision decision : changes.decisions()) {
      table.row(
          decision.limit(),
          decision.before().toString(),
          decision.isChange() ? decision.after().toString() : "",
          decision.isChange() ? change(decision.before(), decision.after()) : "",
          percent(decision.expectedFalseDrops(), 3),
          decision.needsApproval() ? "approve" : "",
          decision.needsApproval() && !decision.wanted().equals(decision.after())
              ? decision.reason() + "; would go to " + decision.wanted()
              : decision.reason());
    }
    List<String> lines = new ArrayList<>(table.lines());
    if (!changes.commitments().isEmpty()) {
      lines.add("");
      for (Commitment commitment : changes.commitments()) {
        lines.add(
            String.format(
                Locale.ROOT,
                "%s: the callers' limits are %,.0f/s together, %.2f times its capacity%s",
                commitment.service(),
                commitment.sumPerSecond(),
                commitment.overcommit(),
                commitment.exceeded() ? ", which is too much" : ""));
      }
    }
    lines.add("");
    lines.add(changes.summary());
    return lines;
  }

  /** The same as JSON. */
  static String json(ChangeSet changes) throws JsonProcessingException {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("at", changes.at().toString());
    json.put("rulesDigest", changes.rulesDigest());
    List<Object> decisions = new ArrayList<>();
    for (LimitDecision decision : changes.decisions()) {
      Map<String, Object> of = new LinkedHashMap<>();
      of.put("service", decision.service());
      of.put("rule", decision.rule());
      of.put("place", decision.place());
      of.put("before", decision.before().toString());
      of.put("after", decision.after().toString());
      of.put("wanted", decision.wanted().toString());
      of.put("needsApproval", decision.needsApproval());
      if (!Double.isNaN(decision.expectedFalseDrops())) {
        of.put("expectedFalseDrops", decision.expectedFalseDrops());
      }
      of.put("reason", decision.reason());
      decisions.add(of);
    }
    json.put("decisions", decisions);
    json.put("commitments", changes.commitments());
    return JSON.writeValueAsString(json);
  }

  /** A table of what policies would have done. */
  static List<String> lines(List<PolicyComparison.Row> rows) {
    TextTable table =
        new TextTable()
            .text("LIMIT", MAX_NAME)
            .text("POLICY", MAX_NAME)
            .number("PERIODS")
            .number("FALSE DROPS")
            .number("LIMIT/PEAK")
            .number("LEAST")
            .number("ATTACK");
    for (PolicyComparison.Row row : rows) {
      BackTestResult result = row.result();
      table.row(
          row.limit().toString(),
          row.policy(),
          String.valueOf(result.periods()),
          percent(result.falseDrops(), 4),
          number(result.medianLimitToPeak()),
          number(result.leastLimitToPeak()),
          number(result.attackInflation()));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(
        "FALSE DROPS: of the calls outside of the calendar's windows. LIMIT/PEAK: the limit by");
    lines.add(
        "the greatest rate of the period, at half of the periods. ATTACK: by how much six hours of");
    lines.add("five times the rate, in the history, raise the limit.");
    return lines;
  }

  private static String change(Rate before, Rate after) {
    return before.perSecond() == 0
        ? ""
        : String.format(
            Locale.ROOT, "%+.1f %%", 100 * (after.perSecond() / before.perSecond() - 1));
  }

  private static String percent(double share, int digits) {
    return Double.isNaN(share)
        ? ""
        : String.format(Locale.ROOT, "%." + digits + "f %%", 100 * share);
  }

  private static String number(double number) {
    return Double.isNaN(number) ? "" : String.format(Locale.ROOT, "%.2f", number);
  }
}
