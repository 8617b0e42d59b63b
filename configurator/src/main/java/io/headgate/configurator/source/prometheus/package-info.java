/** Rates from a Prometheus server, over its HTTP API. */
@NullMarked
package io.headgate.configurator.source.prometheus;

import org.jspecify.annotations.NullMarked;
