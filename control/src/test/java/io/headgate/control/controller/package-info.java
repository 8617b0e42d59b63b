/** Tests of the controller, in virtual time. */
@NullMarked
package io.headgate.control.controller;

import org.jspecify.annotations.NullMarked;
