package io.headgate.keyed.redis;

import io.headgate.core.limit.Decision;
import io.headgate.keyed.Hit;
import java.util.List;

/**
 * What scripts answer for a limit: {allowed, remaining, wait, reset, stamp, whether there was a
 * state}; times in microseconds.
 */
final class Replies {

  /** How many numbers they are. */
  static final int SIZE = 6;

  private static final long NANOS_PER_MICRO = 1000;

  private Replies() {}

  static boolean isAllowed(List<Long> reply) {
    return reply.get(0) == 1;
  }

  static long resetNanos(List<Long> reply) {
    return reply.get(3) * NANOS_PER_MICRO;
  }

  /** By what the permits that were taken can be found again. */
  static long stamp(List<Long> reply) {
    return reply.get(4);
  }

  static boolean hadState(List<Long> reply) {
    return reply.get(5) == 1;
  }

  /** To a request for permits. */
  static Decision taken(Hit hit, List<Long> reply, long now) {
    return decision(hit, reply, isAllowed(reply), reply.get(2) * NANOS_PER_MICRO, now);
  }

  /** To one that gave permits back: whether there is one now. */
  static Decision restored(Hit hit, List<Long> reply, long now) {
    boolean free = reply.get(1) > 0;
    return decision(hit, reply, free, free ? 0 : resetNanos(reply), now);
  }

  private static Decision decision(
      Hit hit, List<Long> reply, boolean allowed, long waitNanos, long now) {
    return new Decision(
        allowed,
        hit.limit().limit().limit(),
        Math.max(0, reply.get(1)),
        now + resetNanos(reply),
        waitNanos);
  }
}
