/**
 * The write side of rules: changes that are made to files as a person would make them, all or none.
 */
@NullMarked
package io.headgate.control.rules.repository;

import org.jspecify.annotations.NullMarked;
