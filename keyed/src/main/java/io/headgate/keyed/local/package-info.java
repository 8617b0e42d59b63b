/** Counts kept in the process. */
@NullMarked
package io.headgate.keyed.local;

import org.jspecify.annotations.NullMarked;
