/** Counts kept in Redis, so that all replicas of a service share them. */
@NullMarked
package io.headgate.keyed.redis;

import org.jspecify.annotations.NullMarked;
