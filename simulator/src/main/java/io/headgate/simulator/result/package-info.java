/**
 * What came of a simulation: figures, assertions, series, and their forms for people and programs.
 */
@NullMarked
package io.headgate.simulator.result;

import org.jspecify.annotations.NullMarked;
