package io.headgate.control.rules;

import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.Rate;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How far a limit on trial has come: what a program that enforces limits step by step has to
 * remember of a rule, kept beside it in its file. It changes nothing about what the rule limits.
 *
 * @param of the limit on trial
 * @param since when it came to its stage
 * @param stage where it is enforced by now
 * @param places the regions or zones where it is enforced, while that is not everywhere
 * @param formerLimit what it has replaced, while it may have to go back; null if it is the rule's
 *     first
 * @param formerBehavior what the rule did above its limit before
 * @param peak the greatest rate that was offered while it was in shadow; null as long as it is
 */
public record Trial(
    Rate of,
    Instant since,
    Stage stage,
    List<String> places,
    @Nullable Rate formerLimit,
    Behavior formerBehavior,
    @Nullable Rate peak) {

  public Trial {
    places = List.copyOf(places);
  }

  /** Where a limit is enforced, in the order in which it gets there. */
  public enum Stage {
    /** Nowhere. */
    SHADOW,
    /** In one zone. */
    ZONE,
    /** In one region. */
    REGION,
    /** Everywhere. */
    GLOBAL;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A limit that is judged in shadow from now on. */
  public static Trial start(Rate of, Instant now) {
    return new Trial(of, now, Stage.SHADOW, List.of(), null, Behavior.DENY, null);
  }
}
