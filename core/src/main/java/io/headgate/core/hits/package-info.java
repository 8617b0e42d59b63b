/**
 * Buckets whose limit comes along with each request, with the semantics of Gubernator's API where
 * they are sound: see {@code docs/gubernator.md} for the differences.
 */
@NullMarked
package io.headgate.core.hits;

import org.jspecify.annotations.NullMarked;
