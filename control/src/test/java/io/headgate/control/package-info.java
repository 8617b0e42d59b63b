/** What the tests of the tiers share: virtual time and links that record. */
@NullMarked
package io.headgate.control;

import org.jspecify.annotations.NullMarked;
