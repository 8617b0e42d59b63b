/** From a limit on trial to one that is enforced, step by step, and back. */
@NullMarked
package io.headgate.configurator.promotion;

import org.jspecify.annotations.NullMarked;
