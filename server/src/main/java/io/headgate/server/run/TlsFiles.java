package io.headgate.server.run;

import com.linecorp.armeria.common.TlsKeyPair;
import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * PEM files for TLS.
 *
 * @param certificate the own certificate chain
 * @param key its private key, PKCS #8
 * @param authority who signs the certificates of peers. With it every peer must show a certificate
 *     (mutual TLS); without it peers stay anonymous and servers are checked against the platform's
 *     authorities
 */
public record TlsFiles(Path certificate, Path key, @Nullable Path authority) {

  ServerCredentials serverCredentials() {
    try {
      TlsServerCredentials.Builder builder =
          TlsServerCredentials.newBuilder().keyManager(certificate.toFile(), key.toFile());
      if (authority != null) {
        builder
            .trustManager(authority.toFile())
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
      }
      return builder.build();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  TlsKeyPair keyPair() {
    try {
      return TlsKeyPair.of(key.toFile(), certificate.toFile());
    } catch (IllegalArgumentException e) {
      throw UserError.failed("TLS files cannot be read: " + e.getMessage());
    }
  }

  ChannelCredentials channelCredentials() {
    try {
      TlsChannelCredentials.Builder builder =
          TlsChannelCredentials.newBuilder().keyManager(certificate.toFile(), key.toFile());
      if (authority != null) {
        builder.trustManager(authority.toFile());
      }
      return builder.build();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private static UserError unreadable(IOException e) {
    return UserError.failed("TLS files cannot be read: " + e.getMessage());
  }
}
