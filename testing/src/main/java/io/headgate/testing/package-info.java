/** What tests of several modules share. */
@NullMarked
package io.headgate.testing;

import org.jspecify.annotations.NullMarked;
