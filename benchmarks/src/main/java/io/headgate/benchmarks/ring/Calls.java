package io.headgate.benchmarks.ring;

import io.headgate.protocol.gubernator.GetRateLimitsReq;
import io.headgate.protocol.gubernator.RateLimitReq;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/**
 * The calls that a load is made of, built before it begins. The limit is never reached: what is
 * measured is counting.
 *
 * @param calls taken in turn
 * @param items requests in each of them
 */
record Calls(List<GetRateLimitsReq> calls, int items) {

  static final String NAME = "requests_per_sec";

  private static final long LIMIT = 1_000_000_000_000L;
  private static final long DURATION_MILLIS = 3_600_000;
  private static final int DISTINCT = 10_000;

  /**
   * Calls for random keys.
   *
   * @param keys how many keys there are
   * @param items requests a call
   * @param behavior bits of each request
   * @param filter which keys to ask for
   */
  static Calls of(int keys, int items, int behavior, IntPredicate filter, RandomGenerator random) {
    List<GetRateLimitsReq> calls = new ArrayList<>();
    int distinct = Math.max(1, DISTINCT / items);
    for (int i = 0; i < distinct; i++) {
      GetRateLimitsReq.Builder call = GetRateLimitsReq.newBuilder();
      while (call.getRequestsCount() < items) {
        int key = random.nextInt(keys);
        if (filter.test(key)) {
          call.addRequests(
              RateLimitReq.newBuilder()
                  .setName(NAME)
                  .setUniqueKey(key(key))
                  .setHits(1)
                  .setLimit(LIMIT)
                  .setDuration(DURATION_MILLIS)
                  .setBehaviorValue(behavior));
        }
      }
      calls.add(call.build());
    }
    return new Calls(calls, items);
  }

  /** The key with a number; keys differ from their first letter on, as real ones do. */
  static String key(int number) {
    return Integer.toHexString(number * 0x9E3779B9) + ":account";
  }
}
