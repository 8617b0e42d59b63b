/**
 * The zone aggregator: keeps each client's latest rates, sums them for the controllers and hands
 * directives down.
 */
@NullMarked
package io.headgate.control.aggregator;

import org.jspecify.annotations.NullMarked;
