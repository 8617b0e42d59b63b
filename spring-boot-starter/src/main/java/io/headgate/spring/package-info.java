/** Limits by key in a Spring Boot application. */
@NullMarked
package io.headgate.spring;

import org.jspecify.annotations.NullMarked;
