/** A control plane on this machine: each tier a process of its own, on loopback. */
@NullMarked
package io.headgate.server.demo.cluster;

import org.jspecify.annotations.NullMarked;
