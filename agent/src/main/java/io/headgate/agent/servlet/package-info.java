/** A gate for servlet containers: a Jakarta Servlet filter. */
@NullMarked
package io.headgate.agent.servlet;

import org.jspecify.annotations.NullMarked;
