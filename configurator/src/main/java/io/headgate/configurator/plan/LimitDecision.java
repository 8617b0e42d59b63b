package io.headgate.configurator.plan;

import io.headgate.core.rule.Rate;

/**
 * What a run makes of one limit.
 *
 * @param service the service
 * @param rule its rule
 * @param place the region or zone whose limit it is; empty for the rule's own
 * @param before the limit now
 * @param after the limit to set; equal to {@code before} if nothing changes
 * @param wanted where the limit would go at once if somebody approved of it
 * @param needsApproval whether somebody has to, because {@code wanted} is beyond the guards
 * @param expectedFalseDrops the share of the calls in what was kept of the past that {@code after}
 *     would have dropped, 0 to 1; NaN if nothing is known of these
 * @param basis what it rests on
 * @param reason why, for people
 */
public record LimitDecision(
    String service,
    String rule,
    String place,
    Rate before,
    Rate after,
    Rate wanted,
    boolean needsApproval,
    double expectedFalseDrops,
    Basis basis,
    String reason) {

  /** What a decision rests on. */
  public enum Basis {
    /** All of the past. */
    WHOLE,
    /** The past without parts of it that must not be learned from. */
    MASKED,
    /** Nothing, since the past would not do: the limit stays. */
    NONE,
    /** What people have set: a pin, or a policy that needs no past. */
    SET
  }

  /** Whether the limit changes. */
  public boolean isChange() {
    return !before.equals(after);
  }

  /** The same limit, unchanged, for one more reason. */
  LimitDecision heldBack(String why) {
    return new LimitDecision(
        service,
        rule,
        place,
        before,
        before,
        wanted,
        true,
        expectedFalseDrops,
        basis,
        reason + "; " + why);
  }

  /** The limit that it is about: {@code payments/checkout}, {@code payments/checkout@eu-west}. */
  public String limit() {
    return service + "/" + rule + (place.isEmpty() ? "" : "@" + place);
  }

  /** What becomes of the limit, and why, in a line for people. */
  public String line() {
    return "%s: %s -> %s, %s".formatted(limit(), before, after, reason);
  }
}
