/**
 * The contracts between agents, aggregators and controllers, and their translation to and from
 * {@code core} types.
 */
@NullMarked
package io.headgate.protocol;

import org.jspecify.annotations.NullMarked;
