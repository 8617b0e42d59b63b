package io.headgate.server.keyed;

import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.CertificateUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A certificate chain and its key in PEM files, read again when they change. */
final class CertificateFiles {

  private final Path certificate;
  private final Path key;
  private final AdvancedTlsX509KeyManager manager = new AdvancedTlsX509KeyManager();
  private byte @Nullable [] certificateRead;
  private byte @Nullable [] keyRead;

  /**
   * @throws GeneralSecurityException if the files are no certificate and its key
   */
  CertificateFiles(Path certificate, Path key) throws IOException, GeneralSecurityException {
    this.certificate = certificate;
    this.key = key;
    reload();
  }

  /** Shows what the files held when they were last good, to every new connection. */
  AdvancedTlsX509KeyManager manager() {
    return manager;
  }

  /**
   * Takes what the files hold now.
   *
   * @return whether that is something else than before
   * @throws IOException if a file cannot be read; then nothing changes
   * @throws GeneralSecurityException if they are no certificate and its key; then nothing changes
   */
  boolean reload() throws IOException, GeneralSecurityException {
    byte[] certificateNow = Files.readAllBytes(certificate);
    byte[] keyNow = Files.readAllBytes(key);
    if (Arrays.equals(certificateNow, certificateRead) && Arrays.equals(keyNow, keyRead)) {
      return false;
    }
    X509Certificate[] chain = certificates(certificate, certificateNow);
    PrivateKey privateKey = privateKey(keyNow);
    if (!belongTogether(chain[0].getPublicKey(), privateKey)) {
      throw new GeneralSecurityException(
          key + ": not the key of " + certificate + " (expected: the key of its certificate)");
    }
    manager.updateIdentityCredentials(chain, privateKey);
    certificateRead = certificateNow;
    keyRead = keyNow;
    return true;
  }

  /** The certificates in the content of a PEM file, of which there must be one at least. */
  static X509Certificate[] certificates(Path file, byte[] content) throws GeneralSecurityException {
    String expected = file + ": no certificate (expected: PEM)";
    X509Certificate[] chain;
    try {
      chain = CertificateUtils.getX509Certificates(new ByteArrayInputStream(content));
    } catch (CertificateException e) {
      throw new GeneralSecurityException(expected, e);
    }
    if (chain.length == 0) {
      throw new GeneralSecurityException(expected);
    }
    return chain;
  }

  private PrivateKey privateKey(byte[] content) throws IOException, GeneralSecurityException {
    try {
      return CertificateUtils.getPrivateKey(new ByteArrayInputStream(content));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new GeneralSecurityException(
          key + ": no private key (expected: PEM, PKCS #8, RSA or EC)", e);
    }
  }

  private static boolean belongTogether(PublicKey publicKey, PrivateKey privateKey)
      throws GeneralSecurityException {
    if (!publicKey.getAlgorithm().equals(privateKey.getAlgorithm())) {
      return false;
    }
    byte[] anything = {1, 2, 3};
    Signature signature =
        Signature.getInstance(
            privateKey.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA");
    signature.initSign(privateKey);
    signature.update(anything);
    byte[] signed = signature.sign();
    signature.initVerify(publicKey);
    signature.update(anything);
    return signature.verify(signed);
  }
}
