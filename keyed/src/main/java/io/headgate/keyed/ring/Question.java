package io.headgate.keyed.ring;

import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.protocol.gubernator.RateLimitReq;

/**
 * A request on its way to a bucket.
 *
 * @param behavior the bits of the request, and those that the node adds
 * @param now when it arrived, in epoch milliseconds
 * @param errorPrefix what an error begins with, which depends on the way
 */
record Question(HitKey key, RateLimitReq request, int behavior, long now, String errorPrefix) {}
