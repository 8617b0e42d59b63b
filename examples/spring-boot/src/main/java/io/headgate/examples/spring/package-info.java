/** A Spring Boot application that is limited by its configuration. */
@NullMarked
package io.headgate.examples.spring;

import org.jspecify.annotations.NullMarked;
