/** When a run is due. */
@NullMarked
package io.headgate.configurator.trigger;

import org.jspecify.annotations.NullMarked;
