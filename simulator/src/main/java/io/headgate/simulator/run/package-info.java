/**
 * Runs a scenario: builds its places from the production classes, drives its traffic through their
 * gates, and measures.
 */
@NullMarked
package io.headgate.simulator.run;

import org.jspecify.annotations.NullMarked;
