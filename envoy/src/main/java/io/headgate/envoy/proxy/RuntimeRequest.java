package io.headgate.envoy.proxy;

import io.envoyproxy.envoy.config.core.v3.Node;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A request of runtime discovery, in either form of the protocol.
 *
 * @param node who asks; null where the message does not say
 * @param typeUrl what is asked for; empty where it goes without saying
 * @param nonce of the answer that this one is about; empty if it is about none
 * @param error why that answer was not taken; empty if it was
 * @param subscribed names that are wanted from now on
 * @param unsubscribed names that are not wanted any more; null: all that are not among {@code
 *     subscribed}
 */
record RuntimeRequest(
    @Nullable Node node,
    String typeUrl,
    String nonce,
    String error,
    Collection<String> subscribed,
    @Nullable Collection<String> unsubscribed) {}
