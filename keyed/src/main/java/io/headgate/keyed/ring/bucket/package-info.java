/** The buckets that a node holds. */
@NullMarked
package io.headgate.keyed.ring.bucket;

import org.jspecify.annotations.NullMarked;
