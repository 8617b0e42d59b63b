/** The rate limit service as a program: its settings, ports and metrics. */
@NullMarked
package io.headgate.server.ratelimit;

import org.jspecify.annotations.NullMarked;
