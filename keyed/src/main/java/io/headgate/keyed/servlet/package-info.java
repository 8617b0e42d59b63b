/** Limits by key for HTTP: a Jakarta Servlet filter, and where it takes its keys from. */
@NullMarked
package io.headgate.keyed.servlet;

import org.jspecify.annotations.NullMarked;
