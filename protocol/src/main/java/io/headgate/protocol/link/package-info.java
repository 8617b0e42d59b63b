/**
 * A link is one bidirectional stream of messages between two tiers. State machines send and receive
 * through it and know nothing of what carries it: gRPC in production, a simulated network in the
 * simulator.
 */
@NullMarked
package io.headgate.protocol.link;

import org.jspecify.annotations.NullMarked;
