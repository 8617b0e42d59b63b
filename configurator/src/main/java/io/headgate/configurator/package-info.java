/**
 * Limits computed from weeks of real traffic: sources, policies, guards, and the run that ties
 * them.
 */
@NullMarked
package io.headgate.configurator;

import org.jspecify.annotations.NullMarked;
