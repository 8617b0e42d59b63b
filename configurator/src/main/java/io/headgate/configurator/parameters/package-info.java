/** What people set, in YAML, with the places of mistakes. */
@NullMarked
package io.headgate.configurator.parameters;

import org.jspecify.annotations.NullMarked;
