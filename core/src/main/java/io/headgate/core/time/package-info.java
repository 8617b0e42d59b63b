/**
 * Time and scheduling as they are passed in, so that the same code runs in real and in virtual
 * time.
 */
@NullMarked
package io.headgate.core.time;

import org.jspecify.annotations.NullMarked;
