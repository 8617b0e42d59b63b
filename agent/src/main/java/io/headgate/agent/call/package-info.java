/** What a call says of itself: who makes it, how critical it is, whether it is a retry. */
@NullMarked
package io.headgate.agent.call;

import org.jspecify.annotations.NullMarked;
