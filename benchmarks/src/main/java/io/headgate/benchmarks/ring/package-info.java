/** A cluster of nodes under load, beside a bare gRPC service. */
@NullMarked
package io.headgate.benchmarks.ring;

import org.jspecify.annotations.NullMarked;
