/**
 * What a proxy looks up for a request: shared by the configuration of proxies and what it is told.
 */
@NullMarked
package io.headgate.envoy.stage;

import org.jspecify.annotations.NullMarked;
