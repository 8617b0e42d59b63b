/**
 * Limits by key, such as "customer 42 may start ten transfers in any minute": one interface, {@link
 * io.headgate.keyed.KeyedLimiter}, over several places that can keep the counts.
 */
@NullMarked
package io.headgate.keyed;

import org.jspecify.annotations.NullMarked;
