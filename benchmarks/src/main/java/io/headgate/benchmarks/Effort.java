package io.headgate.benchmarks;

/** How long a benchmark may take. */
public enum Effort {
  /** Under a minute: enough to see a magnitude, not to compare two versions. */
  QUICK,
  /** As long as figures need that can be quoted. */
  FULL
}
