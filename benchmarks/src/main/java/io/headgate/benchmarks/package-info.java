/**
 * Measures Headgate, beside its peers in the same run. Start at {@link io.headgate.benchmarks.Run}.
 */
@NullMarked
package io.headgate.benchmarks;

import org.jspecify.annotations.NullMarked;
