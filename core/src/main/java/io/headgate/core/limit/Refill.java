package io.headgate.core.limit;

/** How a token bucket gets its tokens back. */
public enum Refill {
  /** Evenly: each token as soon as its part of the period is over. */
  GREEDY,

  /** All tokens of a period at once, at its end. Periods count from the first request of a key. */
  INTERVAL
}
