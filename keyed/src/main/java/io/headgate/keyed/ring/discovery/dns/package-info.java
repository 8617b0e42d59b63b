/** Peers that are the addresses of names. */
@NullMarked
package io.headgate.keyed.ring.discovery.dns;

import org.jspecify.annotations.NullMarked;
