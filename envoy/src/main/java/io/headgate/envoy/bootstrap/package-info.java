/** Makes the bootstrap by which an unmodified Envoy becomes a data plane of the loop. */
@NullMarked
package io.headgate.envoy.bootstrap;

import org.jspecify.annotations.NullMarked;
