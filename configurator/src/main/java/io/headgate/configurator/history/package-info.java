/** The past as a policy may learn from it: without incidents, throttled time and outliers. */
@NullMarked
package io.headgate.configurator.history;

import org.jspecify.annotations.NullMarked;
