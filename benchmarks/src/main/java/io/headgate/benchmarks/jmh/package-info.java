/** What all benchmarks that are measured with JMH share. */
@NullMarked
package io.headgate.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
