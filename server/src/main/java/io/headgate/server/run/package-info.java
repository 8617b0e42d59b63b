/** A running server: the roles of a process, wired to its ports. */
@NullMarked
package io.headgate.server.run;

import org.jspecify.annotations.NullMarked;
