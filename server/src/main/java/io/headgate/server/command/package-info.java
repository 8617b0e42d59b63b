/** The commands of the {@code headgate} program: options, and what they print. */
@NullMarked
package io.headgate.server.command;

import org.jspecify.annotations.NullMarked;
