/** {@code headgate demo}: a whole fleet on one machine. */
@NullMarked
package io.headgate.server.demo;

import org.jspecify.annotations.NullMarked;
