/** Processes that benchmarks start. */
@NullMarked
package io.headgate.benchmarks.process;

import org.jspecify.annotations.NullMarked;
