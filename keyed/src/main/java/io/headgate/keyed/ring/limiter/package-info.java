/** Limits by key, counted by the nodes of a cluster. */
@NullMarked
package io.headgate.keyed.ring.limiter;

import org.jspecify.annotations.NullMarked;
