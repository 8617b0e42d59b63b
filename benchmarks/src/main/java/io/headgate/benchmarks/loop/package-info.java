/** What the loop from report to directive costs, with a real aggregator process under load. */
@NullMarked
package io.headgate.benchmarks.loop;

import org.jspecify.annotations.NullMarked;
