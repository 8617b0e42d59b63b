package io.headgate.keyed.redis;

/** The scripts of all algorithms, over one clock. */
record Scripts(Script flow, Script fixedWindow, Script slidingCounter, Script slidingLog) {

  static Scripts withClock(String clock) {
    return new Scripts(
        Script.load("flow", clock),
        Script.load("fixed-window", clock),
        Script.load("sliding-counter", clock),
        Script.load("sliding-log", clock));
  }
}
