package io.headgate.simulator.campaign;

import io.headgate.core.shed.LawSettings;
import io.headgate.simulator.scenario.Event;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.scenario.Traffic;
import java.util.ArrayList;
import java.util.List;

/** Knows when a world has been left alone for long enough to be settled. */
final class Quiet {

  /**
   * How long the loop may take to follow a change of demand. It usually takes tenths; but a change
   * that is small in its noise is followed as an average is, over the memory of the law.
   */
  static final double AFTER_DEMAND_SECONDS = LawSettings.DEFAULT.memorySeconds();

  /**
   * How long a fleet may take to recover from a fault: a stream into a void is noticed after its
   * keep-alive time, 15 s, and made anew after a pause of up to 5 s.
   */
  static final double AFTER_FAULT_SECONDS = 20;

  /**
   * How long the loop may take to follow a change of rules: for a bucket that is new, as long as
   * for demand that is.
   */
  static final double AFTER_RULES_SECONDS = AFTER_DEMAND_SECONDS;

  /** How long it may take after its start: controllers learn for up to 5 s. */
  static final double AFTER_START_SECONDS = 8;

  /** How long after it has happened a loss is seen at most. */
  private static final double SEEN_AFTER_SECONDS = 0.25;

  private record Span(double from, double until) {

    boolean touches(double fromSeconds, double untilSeconds) {
      return fromSeconds < until && untilSeconds > from;
    }
  }

  private final List<Span> unrest = new ArrayList<>();

  Quiet(Scenario scenario) {
    unrest.add(new Span(0, AFTER_START_SECONDS));
    for (Traffic traffic : scenario.traffic()) {
      traffic
          .rate()
          .changes()
          .forEach(
              change -> disturbed(change.atSeconds(), change.overSeconds(), AFTER_DEMAND_SECONDS));
    }
    for (Event event : scenario.events()) {
      disturbed(
          event.atSeconds(),
          length(event),
          event instanceof Event.RuleChange ? AFTER_RULES_SECONDS : AFTER_FAULT_SECONDS);
    }
  }

  private void disturbed(double at, double length, double recovery) {
    unrest.add(new Span(at, at + length + recovery));
  }

  private static double length(Event event) {
    if (event instanceof Event.Pause pause) {
      return pause.forSeconds();
    }
    return event instanceof Event.Cut cut ? cut.forSeconds() : 0;
  }

  /** Whether nothing has happened for long enough before a span of time, and nothing in it. */
  boolean isSettled(double fromSeconds, double untilSeconds) {
    for (Span span : unrest) {
      if (span.touches(fromSeconds, untilSeconds)) {
        return false;
      }
    }
    return true;
  }

  /** The same for the time since something was lost, but for the fault that it was lost by. */
  boolean isSettledBut(double lostAtSeconds, double untilSeconds) {
    for (Span span : unrest) {
      boolean cause = Math.abs(span.from - lostAtSeconds) < SEEN_AFTER_SECONDS;
      if (!cause && span.touches(lostAtSeconds, untilSeconds)) {
        return false;
      }
    }
    return true;
  }
}
