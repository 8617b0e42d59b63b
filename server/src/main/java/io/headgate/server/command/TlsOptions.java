package io.headgate.server.command;

import io.headgate.server.run.TlsFiles;
import io.headgate.server.terminal.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for TLS. */
final class TlsOptions {

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "Own certificate chain, PEM. Turns TLS on, on every port and connection.")
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
          "Certificates of the authorities that sign the certificates of peers, PEM. Turns mutual"
              + " TLS on: whoever connects must show such a certificate.")
  private @Nullable Path authority;

  /** The files, which exist; null if TLS is off. */
  @Nullable TlsFiles files() {
    if (certificate == null || key == null) {
      if (certificate != null || key != null || authority != null) {
        throw UserError.usage(
            (certificate == null ? "--tls-cert" : "--tls-key")
                + ": missing (expected: --tls-cert and --tls-key together, and --tls-ca only with"
                + " them)");
      }
      return null;
    }
    return new TlsFiles(
        readable("--tls-cert", certificate),
        readable("--tls-key", key),
        authority == null ? null : readable("--tls-ca", authority));
  }

  private static Path readable(String option, Path file) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw UserError.usage(option + ": '" + file + "' (expected: a PEM file that can be read)");
    }
    return file;
  }
}
