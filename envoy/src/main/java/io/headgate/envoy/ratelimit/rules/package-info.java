/** The rule files of the rate limit service: what they say, and which rule a descriptor meets. */
@NullMarked
package io.headgate.envoy.ratelimit.rules;

import org.jspecify.annotations.NullMarked;
