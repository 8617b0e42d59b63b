/**
 * Runs random worlds, each from one seed, and holds what happens in them against what must be true
 * in any world.
 */
@NullMarked
package io.headgate.simulator.campaign;

import org.jspecify.annotations.NullMarked;
