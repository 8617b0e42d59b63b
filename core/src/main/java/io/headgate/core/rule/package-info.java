/**
 * Rate rules: which requests a limit is about, how much it allows, where it counts and what happens
 * above it.
 */
@NullMarked
package io.headgate.core.rule;

import org.jspecify.annotations.NullMarked;
