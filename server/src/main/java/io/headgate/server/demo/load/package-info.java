/** The load of the demo: how much is called when, open loop. */
@NullMarked
package io.headgate.server.demo.load;

import org.jspecify.annotations.NullMarked;
