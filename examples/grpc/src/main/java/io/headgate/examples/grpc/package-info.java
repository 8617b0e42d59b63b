/** A gRPC service and a caller that are limited on either side. */
@NullMarked
package io.headgate.examples.grpc;

import org.jspecify.annotations.NullMarked;
