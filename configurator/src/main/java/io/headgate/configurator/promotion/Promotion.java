package io.headgate.configurator.promotion;

import io.headgate.configurator.guard.Pin;
import io.headgate.configurator.plan.ConfiguratorConfig;
import io.headgate.configurator.plan.LimitTasks;
import io.headgate.configurator.plan.NewRule;
import io.headgate.configurator.plan.RuleChoice;
import io.headgate.configurator.series.LimitKey;
import io.headgate.configurator.source.SourceException;
import io.headgate.control.rules.Trial;
import io.headgate.control.rules.repository.RuleEdit;
import io.headgate.control.rules.repository.RuleFiles;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.DoubleConsumer;

/**
 * Takes limits that were proven in shadow into force, one step a run: in one zone, in one region,
 * everywhere, with a soak at each; and back, if they drop more there than they should. What it has
 * to remember is in the rules, so that any runner can go on where another one stopped.
 *
 * <p>It is all or nothing: if a rate cannot be read, nothing is decided.
 */
public final class Promotion {

  private final ConfiguratorConfig config;
  private final int threads;

  /**
   * @param config what limits must have shown, and where the rates are
   * @param threads how many rules are looked at at the same time; has no influence on the result
   */
  public Promotion(ConfiguratorConfig config, int threads) {
    this.config = config;
    this.threads = threads;
  }

  /**
   * Decides on each rule that the configuration is about.
   *
   * @param rules the rules as they are, without mistakes, to which the result may be written
   * @param now the moment for which; seconds count
   * @param progress is told how much is done, from 0 to 1
   * @throws IllegalArgumentException if the rules have mistakes: a service in a broken file would
   *     look as if it had no rules
   * @throws SourceException if a rate cannot be read
   */
  public Promotions decide(RuleFiles rules, Instant now, DoubleConsumer progress)
      throws SourceException, InterruptedException {
    if (!rules.problems().isEmpty()) {
      throw new IllegalArgumentException(
          "rules: " + rules.problems().get(0) + " (expected: rules without mistakes)");
    }
    return review(rules, now.truncatedTo(ChronoUnit.SECONDS), progress);
  }

  private Promotions review(RuleFiles rules, Instant now, DoubleConsumer progress)
      throws SourceException, InterruptedException {
    Map<String, ServiceRules> services = new TreeMap<>();
    rules.services().forEach(service -> services.put(service.service(), service));
    List<PromotionDecision> decisions = new ArrayList<>(created(services, now));
    TrialReview review = new TrialReview(new MeasuredEvidence(config, now), now);
    Map<LimitKey, RuleOnTrial> rulesOnTrial = onTrial(services, rules.trials());
    decisions.addAll(
        new LimitTasks(threads)
            .results(
                List.copyOf(rulesOnTrial.keySet()),
                limit -> decide(Objects.requireNonNull(rulesOnTrial.get(limit)), review, now),
                progress));
    return new Promotions(decisions);
  }

  /** The rules of the configuration's choices; candidates belong to the rule that they are of. */
  private Map<LimitKey, RuleOnTrial> onTrial(
      Map<String, ServiceRules> services, Map<String, Map<String, Trial>> trials) {
    Map<LimitKey, RuleOnTrial> rules = new LinkedHashMap<>();
    services.forEach(
        (service, ofService) -> {
          Map<String, Rate> limits = new HashMap<>();
          ofService.rules().forEach(rule -> limits.put(rule.name(), rule.limit()));
          Map<String, Trial> ofRules = trials.getOrDefault(service, Map.of());
          for (Rule rule : ofService.rules()) {
            boolean candidate = rule.name().endsWith(Rule.CANDIDATE);
            LimitKey limit = new LimitKey(service, rule, "");
            if (!candidate && config.choice(limit) != null) {
              Rate other = limits.get(rule.name() + Rule.CANDIDATE);
              rules.put(limit, new RuleOnTrial(service, rule, other, ofRules.get(rule.name())));
            }
          }
        });
    return rules;
  }

  private PromotionDecision decide(RuleOnTrial rule, TrialReview review, Instant now)
      throws SourceException, InterruptedException {
    RuleChoice choice = config.choice(rule.key(""));
    if (choice == null || rule.trial() == null && rule.limitOnTrial() == null) {
      return rule.decision(Step.NONE, "", Double.NaN, List.of());
    }
    for (Pin pin : config.pins()) {
      if (pin.holds(rule.key(""), now)) {
        return waiting(rule, pin.verdict(0).reasons().get(0));
      }
    }
    boolean single = !rule.rule().perCaller() && !rule.rule().perProcedure();
    if (!single && !config.source().knowsSingleBuckets()) {
      return waiting(rule, "people: the source knows the sum of the rule's buckets only");
    }
    return review.decide(rule, choice.promotion());
  }

  private static PromotionDecision waiting(RuleOnTrial rule, String reason) {
    return rule.decision(Step.WAIT, reason, Double.NaN, List.of());
  }

  private List<PromotionDecision> created(Map<String, ServiceRules> services, Instant now) {
    List<PromotionDecision> created = new ArrayList<>();
    for (NewRule each : config.newRules()) {
      ServiceRules there = services.get(each.service());
      Rule rule = each.rule();
      boolean exists =
          there != null && there.rules().stream().anyMatch(other -> isFor(other, rule));
      if (!exists) {
        Trial trial = Trial.start(rule.limit(), now);
        RuleOnTrial begun = new RuleOnTrial(each.service(), rule, null, null);
        created.add(
            begun.decision(
                Step.CREATE,
                "new, in shadow: " + rule.limit(),
                Double.NaN,
                List.of(new RuleEdit.Add(each.service(), rule), begun.setTrial(trial))));
      }
    }
    return created;
  }

  /** A rule of the same name is taken for the one that is meant. */
  private static boolean isFor(Rule other, Rule rule) {
    return other.name().equals(rule.name())
        || other.caller().equals(rule.caller()) && other.procedure().equals(rule.procedure());
  }
}
