package io.headgate.core.hits;

/**
 * What a bucket says of a request.
 *
 * @param over whether the hits were refused
 * @param limit the limit of the request
 * @param remaining hits that are left; more than the limit after negative hits
 * @param resetAt when nothing will be used any more if no hits come, in epoch milliseconds; 0 if
 *     the bucket was done away with
 */
public record HitAnswer(boolean over, long limit, long remaining, long resetAt) {}
