/** The rate limit service that Envoy's filter asks: {@code envoy.service.ratelimit.v3}. */
@NullMarked
package io.headgate.envoy.ratelimit;

import org.jspecify.annotations.NullMarked;
