/** What commands have in common towards the person who typed them. */
@NullMarked
package io.headgate.server.terminal;

import org.jspecify.annotations.NullMarked;
