/** Peers as JSON, in the form that the nodes of a cluster leave for one another. */
@NullMarked
package io.headgate.keyed.ring.discovery.json;

import org.jspecify.annotations.NullMarked;
