/** What the demo shows while it runs. */
@NullMarked
package io.headgate.server.demo.screen;

import org.jspecify.annotations.NullMarked;
