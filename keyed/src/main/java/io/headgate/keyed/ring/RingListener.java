package io.headgate.keyed.ring;

import io.headgate.core.hits.HitAnswer;
import io.headgate.core.hits.HitRequest;
import io.headgate.keyed.ring.bucket.HitKey;

/** Hears of every request that this node counts as the owner of its key. */
@FunctionalInterface
public interface RingListener {

  /** Does nothing. */
  RingListener NONE = (key, request, answer) -> {};

  /** Called once for each, on the thread that counted it, so it must be quick. */
  void counted(HitKey key, HitRequest request, HitAnswer answer);
}
