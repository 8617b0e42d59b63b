/** Peers that stand in a file. */
@NullMarked
package io.headgate.keyed.ring.discovery.file;

import org.jspecify.annotations.NullMarked;
