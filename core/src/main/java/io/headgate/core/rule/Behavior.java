package io.headgate.core.rule;

import java.util.Locale;

/** What happens to requests above a limit. */
public enum Behavior {
  /** They are dropped. */
  DENY,
  /** Shadow mode: they pass, and are counted as drops that would have been. */
  ALLOW;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
