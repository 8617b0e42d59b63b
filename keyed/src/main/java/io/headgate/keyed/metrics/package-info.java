/** Decisions as metrics. */
@NullMarked
package io.headgate.keyed.metrics;

import org.jspecify.annotations.NullMarked;
