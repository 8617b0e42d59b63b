package io.headgate.agent;

import java.util.random.RandomGenerator;

/** Exponential backoff with full jitter: a random time up to a bound that doubles by failure. */
final class Backoff {

  private final long firstNanos;
  private final long mostNanos;
  private final RandomGenerator random;
  private long boundNanos;

  Backoff(long firstNanos, long mostNanos, RandomGenerator random) {
    this.firstNanos = firstNanos;
    this.mostNanos = mostNanos;
    this.random = random;
    boundNanos = firstNanos;
  }

  /** How long to wait after one more failure. */
  long nextNanos() {
    long wait = random.nextLong(boundNanos);
    boundNanos = Math.min(2 * boundNanos, mostNanos);
    return wait;
  }

  /** Forgets past failures. */
  void reset() {
    boundNanos = firstNanos;
  }
}
