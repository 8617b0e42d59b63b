/** Runs of the configurator as a service: when, by whom, and what becomes of them. */
@NullMarked
package io.headgate.configurator.run;

import org.jspecify.annotations.NullMarked;
