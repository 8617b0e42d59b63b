/** Peers that make themselves known in etcd. */
@NullMarked
package io.headgate.keyed.ring.discovery.etcd;

import org.jspecify.annotations.NullMarked;
