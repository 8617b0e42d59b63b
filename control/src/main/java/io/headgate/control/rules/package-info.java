/**
 * Rules as people write them: the YAML codec, its errors with file, line and column, and the stores
 * that hold the files.
 */
@NullMarked
package io.headgate.control.rules;

import org.jspecify.annotations.NullMarked;
