/** Peers that are pods of a Kubernetes cluster. */
@NullMarked
package io.headgate.keyed.ring.discovery.kubernetes;

import org.jspecify.annotations.NullMarked;
