/**
 * Other ways to hold a fleet to a limit, simplified to their rule, and a comparison of Headgate
 * with them under the same traffic. They are here to be measured; nothing but the simulator uses
 * them.
 */
@NullMarked
package io.headgate.simulator.baseline;

import org.jspecify.annotations.NullMarked;
