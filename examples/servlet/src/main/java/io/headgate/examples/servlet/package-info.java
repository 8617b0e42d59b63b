/** An HTTP service in Jetty behind the filter. */
@NullMarked
package io.headgate.examples.servlet;

import org.jspecify.annotations.NullMarked;
