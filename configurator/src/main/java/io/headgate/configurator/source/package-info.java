/** Where the rates of the past come from. */
@NullMarked
package io.headgate.configurator.source;

import org.jspecify.annotations.NullMarked;
