package io.headgate.keyed.ring.discovery.etcd;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * How connections to etcd are encrypted.
 *
 * @param authority PEM certificates of who signs those of etcd; absent for the platform's
 * @param certificate own PEM certificate chain, if etcd asks for one
 * @param key its private key, PKCS #8
 * @param verify whether etcd must show a certificate that is known; false is for trials only
 */
public record EtcdTls(
    @Nullable Path authority, @Nullable Path certificate, @Nullable Path key, boolean verify) {

  /**
   * @throws IllegalArgumentException if there is a certificate without a key, or a key without a
   *     certificate
   */
  public EtcdTls {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          "etcd TLS: "
              + (key == null ? "a certificate without a key" : "a key without a certificate")
              + " (expected: both or none)");
    }
  }

  /**
   * @throws IllegalArgumentException if a file cannot be read or used; its message names it
   */
  SslContext context() {
    SslContextBuilder builder = GrpcSslContexts.forClient();
    try {
      if (certificate != null && key != null) {
        readable(certificate);
        readable(key);
        builder.keyManager(certificate.toFile(), key.toFile());
      }
      if (!verify) {
        builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
      } else if (authority != null) {
        readable(authority);
        builder.trustManager(authority.toFile());
      }
      return builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new IllegalArgumentException("etcd TLS: " + e.getMessage(), e);
    }
  }

  private static void readable(Path file) {
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException(file + ": not readable (expected: a PEM file)");
    }
  }
}
