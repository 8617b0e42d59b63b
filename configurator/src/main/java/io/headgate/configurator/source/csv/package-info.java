/** Rates from files. */
@NullMarked
package io.headgate.configurator.source.csv;

import org.jspecify.annotations.NullMarked;
