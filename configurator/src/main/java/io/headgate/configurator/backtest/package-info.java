/** What a policy would have done. */
@NullMarked
package io.headgate.configurator.backtest;

import org.jspecify.annotations.NullMarked;
