package io.headgate.server.run;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** A key and its self-signed certificate for the loopback address, as PEM files. */
public record TestPem(Path certificate, Path key) {

  private static final char[] PASSWORD = "changeit".toCharArray();

  /** Has the JDK's keytool make them in {@code directory}. */
  public static TestPem make(Path directory, String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    return make(directory, name, "ip:127.0.0.1");
  }

  /** The same on another elliptic curve, such as {@code secp521r1}. */
  public static TestPem makeOnCurve(Path directory, String name, String curve)
      throws IOException, InterruptedException, GeneralSecurityException {
    return makeWith(directory, name, curve, "san=ip:127.0.0.1");
  }

  /** One that may sign others. */
  public static TestPem makeAuthority(Path directory, String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    return makeWith(directory, name, "secp256r1", "bc:c=ca:true");
  }

  /** The same for another subject alternative name, such as {@code dns:peers.test}. */
  public static TestPem make(Path directory, String name, String alternativeName)
      throws IOException, InterruptedException, GeneralSecurityException {
    return makeWith(directory, name, "secp256r1", "san=" + alternativeName);
  }

  private static TestPem makeWith(Path directory, String name, String curve, String extension)
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
                curve,
                "-dname",
                "CN=" + name,
                "-ext",
                extension,
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
