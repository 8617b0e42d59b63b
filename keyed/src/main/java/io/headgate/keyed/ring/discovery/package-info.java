/** How the nodes of a cluster find one another. */
@NullMarked
package io.headgate.keyed.ring.discovery;

import org.jspecify.annotations.NullMarked;
