package io.headgate.configurator.promotion;

import io.headgate.configurator.guard.PromotionSettings;
import io.headgate.control.rules.Trial;
import io.headgate.control.rules.Trial.Stage;
import io.headgate.core.rule.Rate;
import java.util.ArrayList;
import java.util.List;

/**
 * The stages of a rule, in their order. A limit that counts in each zone or region apart can be
 * enforced in one of them first, since that one counts as before. One that counts everywhere
 * together cannot: a part of the fleet with a limit of its own would count by itself. And a rule
 * that drops nothing yet does so everywhere or nowhere.
 *
 * @param stage the stage
 * @param places where the limit is enforced at it; none if that is everywhere
 */
record StagePlan(Stage stage, List<String> places) {

  static List<StagePlan> of(RuleOnTrial rule, PromotionSettings settings) {
    List<StagePlan> stages = new ArrayList<>();
    if (rule.isEnforced()) {
      addPlaces(rule, settings, stages);
    }
    stages.add(new StagePlan(Stage.GLOBAL, List.of()));
    return stages;
  }

  private static void addPlaces(
      RuleOnTrial rule, PromotionSettings settings, List<StagePlan> stages) {
    boolean regionIsOthers = isOthers(rule, settings.region());
    switch (rule.rule().scope()) {
      case ZONE -> {
        List<String> zones =
            settings.zones().stream().filter(zone -> !isOthers(rule, zone)).toList();
        if (!zones.isEmpty() && !regionIsOthers) {
          stages.add(new StagePlan(Stage.ZONE, zones.subList(0, 1)));
          if (zones.size() > 1) {
            stages.add(new StagePlan(Stage.REGION, zones));
          }
        }
      }
      case REGION -> {
        if (!settings.region().isEmpty() && !regionIsOthers) {
          stages.add(new StagePlan(Stage.REGION, List.of(settings.region())));
        }
      }
      case GLOBAL -> {
        // everywhere or nowhere
      }
    }
  }

  /** Whether a place has a limit of its own that is not from this trial. */
  private static boolean isOthers(RuleOnTrial rule, String place) {
    Rate limit = rule.rule().limitsAt().get(place);
    Trial trial = rule.trial();
    boolean ours = trial != null && trial.places().contains(place) && trial.of().equals(limit);
    return limit != null && !ours;
  }

  /** The stage after the one that a trial has come to. */
  static StagePlan next(RuleOnTrial rule, PromotionSettings settings, Stage now) {
    return of(rule, settings).stream()
        .filter(each -> each.stage().compareTo(now) > 0)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("stage: " + now + " (expected: not last)"));
  }

  /** Where that is, in words. */
  String where() {
    return places.isEmpty() ? "everywhere" : "in " + String.join(", ", places);
  }
}
