/** What the demo measures of the calls it makes. */
@NullMarked
package io.headgate.server.demo.measure;

import org.jspecify.annotations.NullMarked;
