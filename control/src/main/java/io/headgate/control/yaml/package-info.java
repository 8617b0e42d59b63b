/**
 * Reads what people write in YAML: nodes that know their place in the file, keys that are checked,
 * and all mistakes collected instead of the first one thrown.
 */
@NullMarked
package io.headgate.control.yaml;

import org.jspecify.annotations.NullMarked;
