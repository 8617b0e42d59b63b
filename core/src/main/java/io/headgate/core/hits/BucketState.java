package io.headgate.core.hits;

/**
 * All that there is to know of a bucket, to be kept or sent elsewhere. Times are epoch
 * milliseconds. What the numbers mean depends on the algorithm.
 *
 * @param algorithm how it counts
 * @param limit the limit of the last request
 * @param duration milliseconds, or the code of a calendar unit
 * @param calendar whether the duration is such a code
 * @param burst leaky bucket and GCRA: the most that they admit at once; else 0
 * @param count token bucket: hits used; leaky bucket and GCRA: whole hits left, below 0 if it owes
 *     some; sliding window: hits of the current window
 * @param part leaky bucket and GCRA: the part of the next hit that is there, in parts of {@code
 *     1/period}; sliding window: hits of the window before; else 0
 * @param time token bucket and sliding window: when the window began; leaky bucket and GCRA: the
 *     time of the count
 * @param period leaky bucket and GCRA: the milliseconds of the duration; else 0
 * @param expireAt the last millisecond in which it differs from one that was never used
 */
public record BucketState(
    Algorithm algorithm,
    long limit,
    long duration,
    boolean calendar,
    long burst,
    long count,
    long part,
    long time,
    long period,
    long expireAt) {}
