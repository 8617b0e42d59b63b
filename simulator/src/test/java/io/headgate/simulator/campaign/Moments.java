package io.headgate.simulator.campaign;

import io.headgate.simulator.run.Sight;
import java.util.List;

/** Seconds in which nothing is wrong but what a test puts there. */
final class Moments {

  private Moments() {}

  static Moment of(Moment.BucketSecond bucket) {
    return new Moment(30, List.of(bucket), List.of(), List.of(), List.of());
  }

  static Moment of(Moment.HostSecond host) {
    return new Moment(30, List.of(), List.of(host), List.of(), List.of());
  }

  static Moment of(Sight.Ruling ruling) {
    return new Moment(30, List.of(), List.of(), List.of(ruling), List.of());
  }

  static Moment of(Moment.LossSecond loss) {
    return new Moment(30, List.of(), List.of(), List.of(), List.of(loss));
  }

  /** A bucket with a limit of 100/s that drops. */
  static Moment.BucketSecond bucket(
      boolean settled, double demandPerSecond, long offered, long dropped) {
    return new Moment.BucketSecond(
        "all in global",
        true,
        false,
        settled,
        100,
        demandPerSecond,
        offered,
        dropped,
        offered - dropped,
        0);
  }

  static Moment.HostSecond host(Moment.Ledger ledger) {
    return new Moment.HostSecond("callers/1", true, 0, 15, 0, 0, ledger);
  }

  /** A host whose directives live 5 s and are released over 10 s. */
  static Moment.HostSecond cutOff(double seconds, double dropRatio, long dropped) {
    return new Moment.HostSecond(
        "callers/1", false, seconds, 15, dropRatio, dropped, new Moment.Ledger(0, 0, 0, 0, 0, 0));
  }
}
