package io.headgate.simulator.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is lost is reckoned with: the rest of a domain leaves a lost zone the room for what it
 * offered last, and regions that are cut off from one another do not pass more than the limit
 * together.
 */
final class RoomForTheLost implements Invariant {

  @Override
  public String name() {
    return "room-for-the-lost";
  }

  @Override
  public boolean isJudged(Moment moment) {
    return !moment.losses().isEmpty();
  }

  @Override
  public List<String> violations(Moment moment) {
    List<String> found = new ArrayList<>();
    for (Moment.LossSecond loss : moment.losses()) {
      if (loss.passed() > loss.most()) {
        found.add(
            String.format(
                Locale.ROOT,
                "%s: %d passed %s (expected: at most %.0f)",
                loss.name(),
                loss.passed(),
                loss.when(),
                loss.most()));
      }
    }
    return found;
  }
}
