package io.headgate.configurator.promotion;

import java.util.Locale;

/** What a run makes of one rule. */
public enum Step {
  /** Nothing of it is on trial. */
  NONE,
  /** It was not there, and begins in shadow. */
  CREATE,
  /** Its trial begins, or begins anew for another limit. */
  START,
  /** Something is still missing. */
  WAIT,
  /** The limit on trial is enforced in more places than before. */
  PROMOTE,
  /** The former limit is back. */
  STEP_BACK,
  /** The limit is enforced everywhere and has stayed so: the trial is over. */
  FINISH,
  /** What was on trial is not there any more. */
  FORGET;

  /** Whether the rules change. */
  public boolean isChange() {
    return this != NONE && this != WAIT;
  }

  /** As in metrics and in reasons. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
