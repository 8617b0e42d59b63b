/** The {@code headgate} program's entry. */
@NullMarked
package io.headgate.server;

import org.jspecify.annotations.NullMarked;
