/** What limiting costs a request through Envoy, and a call of the rate limit service. */
@NullMarked
package io.headgate.benchmarks.envoy;

import org.jspecify.annotations.NullMarked;
