/** What one decision costs on the request path, in process, beside other limiters for the JVM. */
@NullMarked
package io.headgate.benchmarks.judge;

import org.jspecify.annotations.NullMarked;
