package io.headgate.agent.grpc;

import io.grpc.Metadata;
import io.headgate.agent.call.CallHeaders;

/** The keys of the metadata that the interceptors read and write. */
final class CallMetadata {

  static final Metadata.Key<String> CALLER = text(CallHeaders.CALLER);
  static final Metadata.Key<String> CRITICALITY = text(CallHeaders.CRITICALITY);
  static final Metadata.Key<String> GRPC_PREVIOUS_ATTEMPTS =
      text(CallHeaders.GRPC_PREVIOUS_ATTEMPTS);
  static final Metadata.Key<String> ENVOY_ATTEMPT = text(CallHeaders.ENVOY_ATTEMPT);

  private CallMetadata() {}

  private static Metadata.Key<String> text(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }
}
