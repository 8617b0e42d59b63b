package io.headgate.agent.call;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Self-signed certificates, made by the JDK's keytool in a directory of the test. */
public final class TestCertificates {

  /** The password of every key store made here. */
  public static final String PASSWORD = "changeit";

  private TestCertificates() {}

  /**
   * Makes a key and a certificate.
   *
   * @param alternativeNames as keytool has them, such as {@code uri:spiffe://example.org/a}; may be
   *     empty
   * @return a PKCS #12 key store
   */
  public static Path make(Path directory, String name, String alternativeNames)
      throws IOException, InterruptedException {
    Path file = directory.resolve(name + ".p12");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString()));
    if (!alternativeNames.isEmpty()) {
      command.addAll(List.of("-ext", "san=" + alternativeNames));
    }
    Path output = directory.resolve(name + ".log");
    Process keytool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      keytool.destroyForcibly();
      throw new IOException("keytool failed: " + Files.readString(output));
    }
    return file;
  }

  /** Shows the certificate in this key store. */
  public static KeyManager[] keys(Path keyStore) throws IOException, GeneralSecurityException {
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(load(keyStore), PASSWORD.toCharArray());
    return factory.getKeyManagers();
  }

  /** Trusts the certificates in these key stores. */
  public static TrustManager[] trust(List<Path> keyStores)
      throws IOException, GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trustStore(keyStores));
    return factory.getTrustManagers();
  }

  /** The certificates in these key stores, without their keys. */
  public static KeyStore trustStore(List<Path> keyStores)
      throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (Path file : keyStores) {
      KeyStore store = load(file);
      String alias = store.aliases().nextElement();
      trusted.setCertificateEntry(alias, store.getCertificate(alias));
    }
    return trusted;
  }

  /** Shows the certificate in one key store and trusts those in the others. */
  public static SSLContext context(Path keyStore, List<Path> trusted)
      throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys(keyStore), trust(trusted), null);
    return context;
  }

  private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }
}
