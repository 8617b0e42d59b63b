/**
 * A cluster of nodes that own keys by consistent hash and speak the API of Gubernator; see {@code
 * docs/gubernator.md}.
 */
@NullMarked
package io.headgate.keyed.ring;

import org.jspecify.annotations.NullMarked;
