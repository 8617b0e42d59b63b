/** Limits by key, in the process and over Redis, beside other limiters. */
@NullMarked
package io.headgate.benchmarks.limiters;

import org.jspecify.annotations.NullMarked;
