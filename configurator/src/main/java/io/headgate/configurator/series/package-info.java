/** Rates over time. */
@NullMarked
package io.headgate.configurator.series;

import org.jspecify.annotations.NullMarked;
