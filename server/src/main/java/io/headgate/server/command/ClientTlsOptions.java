package io.headgate.server.command;

import io.headgate.server.terminal.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a command that asks servers over https. */
final class ClientTlsOptions {

  private static final char[] NO_PASSWORD = new char[0];
  private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA", "Ed25519");

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "Own certificate chain for https, PEM.")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Private key of --tls-cert, PEM (PKCS #8).")
  private @Nullable Path key;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description =
          "Certificates of the authorities that sign a server's certificate, PEM. Default: those of"
              + " the platform.")
  private @Nullable Path authority;

  /** How to connect; null for the platform's way. */
  @Nullable SSLContext context() {
    if ((certificate == null) != (key == null)) {
      throw UserError.usage(
          (certificate == null ? "--tls-cert" : "--tls-key")
              + ": missing (expected: --tls-cert and --tls-key together)");
    }
    if (certificate == null && authority == null) {
      return null;
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          certificate == null || key == null ? null : own(certificate, key).getKeyManagers(),
          authority == null ? null : trusted(authority).getTrustManagers(),
          null);
      return context;
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw UserError.usage(
          "TLS files: " + e.getMessage() + " (expected: PEM files that can be read)");
    }
  }

  private static KeyManagerFactory own(Path certificate, Path key)
      throws IOException, GeneralSecurityException {
    KeyStore store = empty();
    store.setKeyEntry(
        "own", privateKey(key), NO_PASSWORD, certificates(certificate).toArray(Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory;
  }

  private static TrustManagerFactory trusted(Path authority)
      throws IOException, GeneralSecurityException {
    KeyStore store = empty();
    int number = 0;
    for (Certificate trusted : certificates(authority)) {
      store.setCertificateEntry("authority-" + number++, trusted);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }

  private static Collection<? extends Certificate> certificates(Path file)
      throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509").generateCertificates(in);
    }
  }

  private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
    String base64 = Files.readString(file).replaceAll("-----[A-Z ]+-----|\\s", "");
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64));
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        // A key of another algorithm.
      }
    }
    throw new InvalidKeySpecException(
        file + " holds no PKCS #8 key of " + String.join(", ", KEY_ALGORITHMS));
  }
}
