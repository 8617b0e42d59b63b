package io.headgate.configurator.promotion;

import io.headgate.configurator.plan.ChangeSet;
import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.configurator.plan.LimitDecision;
import io.headgate.configurator.plan.RuleChoice;
import io.headgate.configurator.series.LimitKey;
import io.headgate.control.rules.repository.RuleEdit;
import io.headgate.control.rules.repository.RuleFiles;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes computed limits candidates, so that they are judged in shadow first. */
public final class Candidates {

  private final ConfiguratorConfig config;
  private final Map<String, Rule> rules = new HashMap<>();

  private Candidates(ConfiguratorConfig config, RuleFiles files) {
    this.config = config;
    files
        .services()
        .forEach(
            service ->
                service
                    .rules()
                    .forEach(rule -> rules.put(name(service.service(), rule.name()), rule)));
  }

  /**
   * The edits by which limits become candidates. A candidate stays as it is where the new limit is
   * within the guards' dead band of it: it would begin its trial anew at each run, and never end
   * it. Limits of single regions and zones have no candidates.
   *
   * @param files the rules for which the limits were computed
   */
  public static List<RuleEdit> edits(
      ChangeSet changes, RuleFiles files, ConfiguratorConfig config) {
    Candidates candidates = new Candidates(config, files);
    List<RuleEdit> edits = new ArrayList<>();
    for (LimitDecision each : changes.changes()) {
      if (each.place().isEmpty() && !candidates.isTried(each)) {
        edits.add(new RuleEdit.SetCandidate(each.service(), each.rule(), each.after()));
      }
    }
    return edits;
  }

  private boolean isTried(LimitDecision decision) {
    Rule rule = rules.get(name(decision.service(), decision.rule()));
    Rule candidate = rules.get(name(decision.service(), decision.rule() + Rule.CANDIDATE));
    if (rule == null || candidate == null) {
      return false;
    }
    RuleChoice choice = config.choice(new LimitKey(decision.service(), rule, ""));
    double deadBand = choice == null ? 0 : choice.guards().deadBand();
    return isWithin(deadBand, candidate.limit(), decision.after());
  }

  private static boolean isWithin(double deadBand, Rate candidate, Rate computed) {
    return Math.abs(computed.perSecond() - candidate.perSecond())
        <= deadBand * candidate.perSecond();
  }

  private static String name(String service, String rule) {
    return service + "|" + rule; // a name holds no '|'
  }
}
