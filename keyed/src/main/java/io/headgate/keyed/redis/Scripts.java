package io.headgate.keyed.redis;

import java.util.List;

/** The scripts of all algorithms, and of all together, over one clock. */
record Scripts(
    Script flow, Script fixedWindow, Script slidingCounter, Script slidingLog, Script joint) {

  static Scripts withClock(String clock) {
    Script flow = Script.load("flow", clock);
    Script fixedWindow = Script.load("fixed-window", clock);
    Script slidingCounter = Script.load("sliding-counter", clock);
    Script slidingLog = Script.load("sliding-log", clock);
    return new Scripts(
        flow,
        fixedWindow,
        slidingCounter,
        slidingLog,
        Script.joint(List.of(flow, fixedWindow, slidingCounter, slidingLog)));
  }
}
