/** From rules and rates to a set of changes. */
@NullMarked
package io.headgate.configurator.plan;

import org.jspecify.annotations.NullMarked;
