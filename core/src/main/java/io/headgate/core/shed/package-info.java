/** Deciding how much to shed: levels of urgency, accept thresholds and the drop law. */
@NullMarked
package io.headgate.core.shed;

import org.jspecify.annotations.NullMarked;
