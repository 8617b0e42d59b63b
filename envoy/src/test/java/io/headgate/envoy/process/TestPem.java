package io.headgate.envoy.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** A key and its self-signed certificate, as PEM files. */
public record TestPem(Path certificate, Path key) {

  private static final char[] PASSWORD = "changeit".toCharArray();

  /**
   * Has the JDK's keytool make them in {@code directory}.
   *
   * @param alternativeName such as {@code uri:spiffe://example.org/a}
   */
  public static TestPem make(Path directory, String name, String alternativeName)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = directory.resolve(name + ".p12");
    Path output = directory.resolve(name + ".log");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=" + alternativeName,
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      keytool.destroyForcibly();
      throw new IOException("keytool failed: " + Files.readString(output));
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    return new TestPem(
        write(
            directory.resolve(name + ".pem"),
            "CERTIFICATE",
            keys.getCertificate(name).getEncoded()),
        write(
            directory.resolve(name + ".key"),
            "PRIVATE KEY",
            keys.getKey(name, PASSWORD).getEncoded()));
  }

  private static Path write(Path file, String what, byte[] content) throws IOException {
    String base64 = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content);
    return Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----\n");
  }
}
