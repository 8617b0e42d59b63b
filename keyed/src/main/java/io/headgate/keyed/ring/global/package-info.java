/** Keys that every node answers for at once, and regions that tell one another of their hits. */
@NullMarked
package io.headgate.keyed.ring.global;

import org.jspecify.annotations.NullMarked;
