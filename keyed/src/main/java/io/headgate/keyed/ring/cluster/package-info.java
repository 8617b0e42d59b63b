/** Who is in the cluster, who owns what, and how buckets move when that changes. */
@NullMarked
package io.headgate.keyed.ring.cluster;

import org.jspecify.annotations.NullMarked;
