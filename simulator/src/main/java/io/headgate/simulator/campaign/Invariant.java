package io.headgate.simulator.campaign;

import java.util.List;

/** Something that must be true in every second of every world. */
interface Invariant {

  /** All of them. */
  List<Invariant> ALL =
      List.of(
          new NotAboveLimit(),
          new NoDropBelowLimit(),
          new NoRatioFromUnlearned(),
          new FailsOpen(),
          new RoomForTheLost(),
          new CountsConserved());

  /** Its name, for people and programs. */
  String name();

  /** Whether there is anything in a second that could contradict it. */
  boolean isJudged(Moment moment);

  /** What contradicts it in a second, in words; empty if nothing does. */
  List<String> violations(Moment moment);
}
