/**
 * The region controller: turns demand into directives by the drop law, and shares demand with other
 * regions.
 */
@NullMarked
package io.headgate.control.controller;

import org.jspecify.annotations.NullMarked;
