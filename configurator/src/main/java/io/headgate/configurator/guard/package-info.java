/** What keeps a computed limit from doing harm. */
@NullMarked
package io.headgate.configurator.guard;

import org.jspecify.annotations.NullMarked;
