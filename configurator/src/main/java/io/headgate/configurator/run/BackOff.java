package io.headgate.configurator.run;

import java.time.Duration;
import java.time.Instant;

/** Longer and longer pauses after failures, up to a bound. Used from one thread. */
final class BackOff {

  private final Duration first;
  private final Duration longest;
  private Instant until = Instant.MIN;
  private String about = "";
  private int failures;

  BackOff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
  }

  /**
   * Something has failed.
   *
   * @param what that was about; once it is another, there is no reason to wait
   * @return how long to wait
   */
  Duration failed(Instant now, String what) {
    long factor = 1L << Math.min(failures, 20);
    Duration wait = first.multipliedBy(factor);
    wait = wait.compareTo(longest) < 0 ? wait : longest;
    failures++;
    until = now.plus(wait);
    about = what;
    return wait;
  }

  void succeeded() {
    failures = 0;
    until = Instant.MIN;
  }

  boolean isOver(Instant now, String what) {
    return !now.isBefore(until) || !what.equals(about);
  }

  int failures() {
    return failures;
  }
}
