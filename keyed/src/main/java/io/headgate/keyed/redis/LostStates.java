package io.headgate.keyed.redis;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Finds out that Redis has lost states, by eviction, a flush, a restart or a failover: a key that
 * was found to lack permits must still have a state until they are back. It watches as many keys as
 * it has places, of those asked for lately, so what it counts is a part of what is lost.
 */
final class LostStates {

  private record Watched(String key, long untilNanos) {}

  private static final int PLACES = 1024;

  private final AtomicReferenceArray<@Nullable Watched> places = new AtomicReferenceArray<>(PLACES);
  private final LongAdder lost = new LongAdder();

  /**
   * Takes in what a script said of a key.
   *
   * @param askedAtNanos before the script ran
   * @param answeredAtNanos after it ran
   * @param resetNanos after what time all permits are back
   */
  void saw(String key, boolean existed, long askedAtNanos, long answeredAtNanos, long resetNanos) {
    int place = key.hashCode() & (PLACES - 1);
    Watched watched = places.getPlain(place);
    boolean isKnown = watched != null && watched.key.equals(key);
    if (isKnown && !existed && answeredAtNanos - watched.untilNanos < 0) {
      lost.increment();
    }
    boolean isFree = watched == null || answeredAtNanos - watched.untilNanos >= 0;
    if (isKnown || (isFree && resetNanos > 0)) {
      places.lazySet(place, new Watched(key, askedAtNanos + resetNanos));
    }
  }

  long count() {
    return lost.sum();
  }
}
