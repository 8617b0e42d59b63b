package io.headgate.server.ratelimit;

import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.headgate.server.keyed.Variables;
import io.headgate.server.terminal.UserError;
import java.io.File;
import java.io.IOException;

/**
 * TLS of the gRPC port.
 *
 * @param certificate the certificate chain, PEM; empty for no TLS
 * @param key its private key, PEM
 * @param authority who signs the certificates that clients must show, PEM; empty if they need none
 */
public record ServerTls(String certificate, String key, String authority) {

  static ServerTls read(Variables variables) {
    if (variables.has("GRPC_CLIENT_TLS_SAN")) {
      throw variables.invalid(
          "GRPC_CLIENT_TLS_SAN", "nothing; GRPC_CLIENT_TLS_CACERT says which clients may call");
    }
    String authority = variables.text("GRPC_CLIENT_TLS_CACERT");
    if (!variables.flag("GRPC_SERVER_USE_TLS", false)) {
      return new ServerTls("", "", "");
    }
    String why = "with GRPC_SERVER_USE_TLS=true";
    return new ServerTls(
        variables.required("GRPC_SERVER_TLS_CERT", why, "a PEM file"),
        variables.required("GRPC_SERVER_TLS_KEY", why, "a PEM file"),
        authority);
  }

  /** Whether clients must show a certificate. */
  public boolean isMutual() {
    return !authority.isEmpty();
  }

  ServerCredentials credentials() {
    if (certificate.isEmpty()) {
      return InsecureServerCredentials.create();
    }
    try {
      TlsServerCredentials.Builder builder =
          TlsServerCredentials.newBuilder().keyManager(new File(certificate), new File(key));
      if (isMutual()) {
        builder
            .trustManager(new File(authority))
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
      }
      return builder.build();
    } catch (IOException e) {
      throw UserError.failed("GRPC_SERVER_TLS_CERT: cannot be read: " + e.getMessage());
    }
  }
}
