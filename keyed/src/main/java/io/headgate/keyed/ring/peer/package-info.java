/** Calls from a node to the others of its cluster. */
@NullMarked
package io.headgate.keyed.ring.peer;

import org.jspecify.annotations.NullMarked;
