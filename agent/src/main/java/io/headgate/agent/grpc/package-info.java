/** Gates for grpc-java: an interceptor for the calling side and one for the serving side. */
@NullMarked
package io.headgate.agent.grpc;

import org.jspecify.annotations.NullMarked;
