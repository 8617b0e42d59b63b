/**
 * The data plane in a JVM: judges each request where it is made, by directives that the control
 * plane pushes, and reports what was offered. Start at {@link io.headgate.agent.HeadgateAgent}.
 */
@NullMarked
package io.headgate.agent;

import org.jspecify.annotations.NullMarked;
