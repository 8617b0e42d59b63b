/** Envoys that run on this machine, for demonstrations, tests and benchmarks. */
@NullMarked
package io.headgate.envoy.process;

import org.jspecify.annotations.NullMarked;
