/**
 * Virtual time and a virtual network: one queue of events, run by one thread, that gives the same
 * run for the same seed. Nodes are event loops that can be killed, paused and given a wrong clock;
 * links have latency, jitter, loss, duplication and reordering, and places can be cut off from one
 * another.
 */
@NullMarked
package io.headgate.simulator.world;

import org.jspecify.annotations.NullMarked;
