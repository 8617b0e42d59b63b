/**
 * Unmodified Envoy proxies as a data plane: what they count comes in by the metrics service, what
 * they are to drop goes out by runtime discovery. To the zone aggregator each proxy is an agent.
 */
@NullMarked
package io.headgate.envoy.proxy;

import org.jspecify.annotations.NullMarked;
