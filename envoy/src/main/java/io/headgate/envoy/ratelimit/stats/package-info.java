/** What the rate limit service counts of itself, for metrics. */
@NullMarked
package io.headgate.envoy.ratelimit.stats;

import org.jspecify.annotations.NullMarked;
