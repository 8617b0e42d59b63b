/**
 * Unmodified Envoy as a data plane of the loop, and the rate limit service that its filter asks.
 */
@NullMarked
package io.headgate.envoy;

import org.jspecify.annotations.NullMarked;
