/** What a running tier says of itself: plain values for pages, tables and tests. */
@NullMarked
package io.headgate.control.status;

import org.jspecify.annotations.NullMarked;
