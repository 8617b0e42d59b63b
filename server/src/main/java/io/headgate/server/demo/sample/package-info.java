/** The demo's sample: a payments service, and those who call it. */
@NullMarked
package io.headgate.server.demo.sample;

import org.jspecify.annotations.NullMarked;
