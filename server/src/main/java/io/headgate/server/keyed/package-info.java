/** The settings of a node of a cluster, as variables of the environment. */
@NullMarked
package io.headgate.server.keyed;

import org.jspecify.annotations.NullMarked;
