package io.headgate.keyed;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Counts requests by key and says whether they may go on. Safe for use by many threads. */
public interface KeyedLimiter extends AutoCloseable {

  /**
   * Takes what a request wants of several limits: from all of them, or from none if one that is
   * enforced denies it. Limits in shadow are charged if they have the permits and the request is
   * allowed.
   *
   * @param hits one at least; no two of the same limit and key
   * @return never fails for want of the store: see the outage policy of each implementation
   * @throws IllegalArgumentException if there is no hit, or two are of the same limit and key
   */
  CompletionStage<KeyedDecision> check(List<Hit> hits);

  /**
   * Like {@link #check}, with the way to give the permits back that were taken and not used. A
   * backend that cannot give back keeps them until they come back by themselves.
   *
   * @throws IllegalArgumentException if there is no hit
   */
  default CompletionStage<Charge> charge(List<Hit> hits) {
    return check(hits).thenApply(decision -> new Charge(decision, Charge.NOTHING));
  }

  /**
   * Gives permits back, whoever took them: for each hit as many as it costs, those that were taken
   * last, as far as they are still counted.
   *
   * @param hits one at least; no two of the same limit and key
   * @return what each limit says afterwards of a request for one permit; never fails for want of
   *     the store
   * @throws IllegalArgumentException if there is no hit, or two are of the same limit and key
   */
  CompletionStage<KeyedDecision> restore(List<Hit> hits);

  /**
   * How long it takes at least until a key could have had {@code permits} one by one, if nobody
   * else asked; as far as this limiter knows without asking anybody.
   *
   * @param permits 1 or more, also more than the limit
   * @return nanoseconds; 0 if it does not know
   */
  default long leastWaitNanos(NamedLimit limit, String key, long permits) {
    return 0;
  }

  /** Takes {@code cost} permits of one limit. */
  default CompletionStage<KeyedDecision> check(NamedLimit limit, String key, long cost) {
    return check(List.of(new Hit(limit, key, cost)));
  }

  /**
   * Checks that this limiter can count a limit, so that a mistake shows when a program starts.
   *
   * @throws IllegalArgumentException if it cannot; the message says why
   */
  default void require(NamedLimit limit) {}

  @Override
  void close();
}
