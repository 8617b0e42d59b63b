package io.headgate.simulator.baseline;

import io.headgate.simulator.run.Limiter;
import io.headgate.simulator.scenario.Loop;
import org.jspecify.annotations.Nullable;

/** What is compared. */
enum Subject {
  HEADGATE("headgate", Loop.DEFAULT, null),
  PLAIN("plain loop", Loop.PLAIN, null),
  TOKEN_BUCKETS("token buckets", Loop.DEFAULT, TokenBuckets::new),
  CENTRAL_COUNTER("central counter", Loop.DEFAULT, CentralCounter::new),
  SYNCED_COUNTERS("synced counters", Loop.DEFAULT, SyncedCounters::new);

  private final String label;
  private final Loop loop;
  private final Limiter.@Nullable Factory factory;

  Subject(String label, Loop loop, Limiter.@Nullable Factory factory) {
    this.label = label;
    this.loop = loop;
    this.factory = factory;
  }

  String label() {
    return label;
  }

  /** How Headgate's loop is set, where it is Headgate. */
  Loop loop() {
    return loop;
  }

  /** Makes the limiter; null where it is Headgate. */
  Limiter.@Nullable Factory factory() {
    return factory;
  }
}
