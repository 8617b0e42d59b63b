package io.headgate.server.keyed;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.grpc.util.CertificateUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A certificate for this machine's names and addresses that is made when the node starts, as PEM
 * files in a directory that only this user can read. The JDK's keytool makes it, as Java has no
 * public interface for that.
 *
 * @param certificate the chain
 * @param key its key
 * @param authority who signed it
 */
record AutoCertificate(Path certificate, Path key, Path authority) {

  private static final String CA = "ca";
  private static final String NODE = "node";
  private static final String PASSWORD_VARIABLE = "HEADGATE_STORE_PASSWORD";

  /** Gubernator takes P-521, but BoringSSL, the TLS of many gRPC clients, does not. */
  private static final List<String> KEYS = List.of("-keyalg", "EC", "-groupname", "secp256r1");

  private static final int AUTHORITY_DAYS = 3650;
  private static final int CERTIFICATE_DAYS = 365;

  /** Signed by an authority that is made too, and that nobody else has. */
  static AutoCertificate make() throws IOException, GeneralSecurityException, InterruptedException {
    Store store = Store.create();
    store.makeAuthority();
    return store.makeCertificate();
  }

  /**
   * Signed by a given authority, whose certificate and key are in PEM files.
   *
   * @throws GeneralSecurityException if the files are not a certificate and its key
   */
  static AutoCertificate signedBy(Path authority, Path authorityKey)
      throws IOException, GeneralSecurityException, InterruptedException {
    new CertificateFiles(authority, authorityKey); // says what is wrong with them
    Store store = Store.create();
    store.takeAuthority(authority, authorityKey);
    return store.makeCertificate();
  }

  /** A key store that keytool works on. */
  private record Store(Path directory, Path file, String password) {

    static Store create() throws IOException {
      Path directory = Files.createTempDirectory("headgate-tls");
      directory.toFile().deleteOnExit();
      byte[] random = new byte[16];
      new SecureRandom().nextBytes(random);
      return new Store(directory, directory.resolve("store.p12"), HexFormat.of().formatHex(random));
    }

    void makeAuthority() throws IOException, InterruptedException {
      List<String> options =
          new ArrayList<>(List.of("-alias", CA, "-dname", "CN=headgate auto CA"));
      options.addAll(List.of("-validity", "" + AUTHORITY_DAYS));
      options.addAll(List.of("-ext", "bc:c=ca:true", "-ext", "ku:c=keyCertSign,cRLSign"));
      generate(options);
    }

    void takeAuthority(Path certificate, Path key) throws IOException, GeneralSecurityException {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      X509Certificate[] chain =
          CertificateFiles.certificates(certificate, Files.readAllBytes(certificate));
      keys.setKeyEntry(
          CA,
          CertificateUtils.getPrivateKey(new ByteArrayInputStream(Files.readAllBytes(key))),
          password.toCharArray(),
          chain);
      try (OutputStream out = Files.newOutputStream(file)) {
        keys.store(out, password.toCharArray());
      }
    }

    AutoCertificate makeCertificate()
        throws IOException, GeneralSecurityException, InterruptedException {
      List<String> options = new ArrayList<>(List.of("-alias", NODE, "-signer", CA));
      options.addAll(List.of("-dname", "CN=headgate", "-validity", "" + CERTIFICATE_DAYS));
      options.addAll(List.of("-ext", "san=" + String.join(",", names())));
      options.addAll(List.of("-ext", "ku:c=digitalSignature", "-ext", "eku=serverAuth,clientAuth"));
      generate(options);
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(file)) {
        keys.load(in, password.toCharArray());
      }
      Files.delete(file);
      byte[] key = keys.getKey(NODE, password.toCharArray()).getEncoded();
      return new AutoCertificate(
          write("node.pem", "CERTIFICATE", encoded(keys.getCertificateChain(NODE))),
          write("node.key", "PRIVATE KEY", List.of(key)),
          write("ca.pem", "CERTIFICATE", encoded(keys.getCertificateChain(CA))));
    }

    private static List<byte[]> encoded(Certificate[] chain) throws GeneralSecurityException {
      List<byte[]> result = new ArrayList<>();
      for (Certificate certificate : chain) {
        result.add(certificate.getEncoded());
      }
      return result;
    }

    private Path write(String name, String label, List<byte[]> contents) throws IOException {
      StringBuilder pem = new StringBuilder();
      Base64.Encoder base64 = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII));
      for (byte[] content : contents) {
        pem.append("-----BEGIN ").append(label).append("-----\n");
        pem.append(base64.encodeToString(content)).append('\n');
        pem.append("-----END ").append(label).append("-----\n");
      }
      Path written = Files.writeString(directory.resolve(name), pem);
      written.toFile().deleteOnExit();
      return written;
    }

    private void generate(List<String> options) throws IOException, InterruptedException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
      command.add("-genkeypair");
      command.addAll(KEYS);
      command.addAll(options);
      command.addAll(List.of("-storetype", "PKCS12", "-keystore", file.toString()));
      command.addAll(List.of("-storepass:env", PASSWORD_VARIABLE));
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().put(PASSWORD_VARIABLE, password);
      Process keytool = builder.start();
      String said;
      try (InputStream out = keytool.getInputStream()) {
        said = new String(out.readAllBytes(), US_ASCII).strip();
      }
      if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
        keytool.destroyForcibly();
        throw new IOException("keytool failed: " + said);
      }
    }
  }

  /** This machine's, in keytool's form. */
  private static Set<String> names() throws IOException {
    Set<String> names =
        new LinkedHashSet<>(Arrays.asList("dns:localhost", "ip:127.0.0.1", "ip:0:0:0:0:0:0:0:1"));
    String host = InetAddress.getLocalHost().getHostName();
    if (host.matches("[A-Za-z0-9][A-Za-z0-9.-]*")) {
      names.add("dns:" + host);
    }
    for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(network.getInetAddresses())) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        names.add("ip:" + (zone < 0 ? text : text.substring(0, zone)));
      }
    }
    return names;
  }
}
