package io.headgate.core.rule;

import java.util.Locale;

/** How a rule chooses the requests that it drops. */
public enum Sampler {
  /** By rate: even draws where requests are few, independent ones where they are many. */
  AUTO,
  /** Each request by a draw of its own. */
  INDEPENDENT,
  /** By draws that are even over each few dozen requests, in random order. */
  STRATIFIED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
