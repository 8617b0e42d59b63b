/** How the program logs. */
@NullMarked
package io.headgate.server.log;

import org.jspecify.annotations.NullMarked;
