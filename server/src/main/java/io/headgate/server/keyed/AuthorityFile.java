package io.headgate.server.keyed;

import io.grpc.util.AdvancedTlsX509TrustManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Certificates of those who sign certificates, in a PEM file, read again when it changes. */
final class AuthorityFile {

  private final Path file;
  private final AdvancedTlsX509TrustManager manager =
      AdvancedTlsX509TrustManager.newBuilder().build();
  private byte @Nullable [] read;

  /**
   * @throws GeneralSecurityException if the file holds no certificate
   */
  AuthorityFile(Path file) throws IOException, GeneralSecurityException {
    this.file = file;
    reload();
  }

  /** Trusts whom the file named when it was last good; of servers it checks the name too. */
  AdvancedTlsX509TrustManager manager() {
    return manager;
  }

  /**
   * Takes what the file holds now.
   *
   * @return whether that is something else than before
   * @throws IOException if it cannot be read; then nothing changes
   * @throws GeneralSecurityException if it holds no certificate; then nothing changes
   */
  boolean reload() throws IOException, GeneralSecurityException {
    byte[] now = Files.readAllBytes(file);
    if (Arrays.equals(now, read)) {
      return false;
    }
    manager.updateTrustCredentials(CertificateFiles.certificates(file, now));
    read = now;
    return true;
  }
}
