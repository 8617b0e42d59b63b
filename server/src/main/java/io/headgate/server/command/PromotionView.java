package io.headgate.server.command;

import io.headgate.configurator.promotion.PromotionDecision;
import io.headgate.configurator.promotion.Promotions;
import io.headgate.configurator.promotion.Step;
import io.headgate.control.rules.Trial;
import io.headgate.core.rule.Behavior;
import io.headgate.server.terminal.TextTable;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Where limits on trial stand, for people. */
final class PromotionView {

  private static final int MAX_NAME = 30;
  private static final int MAX_STAGE = 10;
  private static final int MAX_WAITS_FOR = 60;

  /** Month to minute are enough; with the year the table would not fit a terminal. */
  private static final DateTimeFormatter SINCE =
      DateTimeFormatter.ofPattern("MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private PromotionView() {}

  /** A line for each rule that changes, with the reason, and one that counts. */
  static List<String> steps(Promotions promotions) {
    List<String> lines = new ArrayList<>();
    for (PromotionDecision decision : promotions.steps()) {
      lines.add(decision.name() + ": " + word(decision.step()) + decision.reason());
    }
    lines.add(promotions.summary());
    return lines;
  }

  private static String word(Step step) {
    return step == Step.STEP_BACK || step == Step.PROMOTE ? "" : step + ", ";
  }

  /** A table of all rules, and a line that counts. */
  static List<String> status(Promotions promotions) {
    TextTable table =
        new TextTable()
            .text("RULE", MAX_NAME)
            .number("LIMIT")
            .number("ON TRIAL")
            .text("STAGE", MAX_STAGE)
            .text("SINCE, UTC", MAX_NAME)
            .number("WOULD DROP")
            .text("WAITS FOR", MAX_WAITS_FOR);
    for (PromotionDecision decision : promotions.decisions()) {
      Trial trial = decision.trial();
      table.row(
          decision.name(),
          decision.step() == Step.CREATE ? "" : decision.limit().toString(),
          onTrial(decision),
          stage(decision),
          trial == null ? "" : SINCE.format(trial.since()),
          share(decision.wouldDropShare()),
          decision.step() == Step.WAIT || decision.step() == Step.NONE
              ? decision.reason()
              : "next: " + decision.reason());
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add("at the next run: " + promotions.summary());
    return lines;
  }

  private static String onTrial(PromotionDecision decision) {
    if (decision.candidate() != null) {
      return decision.candidate().toString();
    }
    return decision.behavior() == Behavior.ALLOW ? decision.limit().toString() : "";
  }

  private static String stage(PromotionDecision decision) {
    Trial trial = decision.trial();
    if (trial != null) {
      return trial.stage().toString();
    }
    boolean inShadow = decision.candidate() != null || decision.behavior() == Behavior.ALLOW;
    return inShadow ? Trial.Stage.SHADOW.toString() : "enforced";
  }

  private static String share(double share) {
    return Double.isNaN(share) ? "" : String.format(Locale.ROOT, "%.4f %%", 100 * share);
  }
}
