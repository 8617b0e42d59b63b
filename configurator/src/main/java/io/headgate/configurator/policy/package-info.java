/** How a limit follows from the past. */
@NullMarked
package io.headgate.configurator.policy;

import org.jspecify.annotations.NullMarked;
