/**
 * Synthetic demand: curves of rate over time, uneven hosts, Poisson arrivals and callers that
 * retry.
 */
@NullMarked
package io.headgate.simulator.traffic;

import org.jspecify.annotations.NullMarked;
