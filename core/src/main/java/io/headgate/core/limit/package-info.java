/**
 * Counted limits for one key: buckets, windows and concurrency, as pure state machines over a clock
 * that is passed in.
 *
 * <p>A {@link io.headgate.core.limit.Limit} says what is allowed, a {@link
 * io.headgate.core.limit.Limiter} is the state of one key under it.
 */
@NullMarked
package io.headgate.core.limit;

import org.jspecify.annotations.NullMarked;
