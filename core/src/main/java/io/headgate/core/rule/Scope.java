package io.headgate.core.rule;

import java.util.Locale;

/** Where a limit counts together, from narrow to wide. */
public enum Scope {
  /** In each zone by itself. */
  ZONE,
  /** In each region by itself, over its zones. */
  REGION,
  /** Everywhere together. */
  GLOBAL;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
