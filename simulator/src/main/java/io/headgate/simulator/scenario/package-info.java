/** What is to be simulated and what is expected of it, as people write it. */
@NullMarked
package io.headgate.simulator.scenario;

import org.jspecify.annotations.NullMarked;
