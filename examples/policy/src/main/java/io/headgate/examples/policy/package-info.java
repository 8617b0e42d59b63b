/** A policy of one's own. */
@NullMarked
package io.headgate.examples.policy;

import org.jspecify.annotations.NullMarked;
