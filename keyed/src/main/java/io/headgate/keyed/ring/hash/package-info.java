/** Which node owns which key. */
@NullMarked
package io.headgate.keyed.ring.hash;

import org.jspecify.annotations.NullMarked;
