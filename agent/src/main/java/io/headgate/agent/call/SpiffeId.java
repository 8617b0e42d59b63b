package io.headgate.agent.call;

import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The name of a workload in its certificate, as the SPIFFE X.509-SVID specification has it. */
public final class SpiffeId {

  private static final String SCHEME = "spiffe://";
  private static final int URI_NAME = 6;

  private SpiffeId() {}

  /**
   * The SPIFFE id of a verified leaf certificate without its scheme, such as {@code
   * example.org/ns/prod/sa/checkout}; empty if the certificate names none, or several URIs, which
   * the specification forbids.
   */
  public static String of(Certificate leaf) {
    String id = "";
    int uris = 0;
    for (List<?> name : alternativeNames(leaf)) {
      if (name.get(0) instanceof Integer kind && kind == URI_NAME) {
        uris++;
        String uri = String.valueOf(name.get(1));
        id = uri.startsWith(SCHEME) ? uri.substring(SCHEME.length()) : "";
      }
    }
    return uris == 1 ? id : "";
  }

  private static Collection<List<?>> alternativeNames(Certificate leaf) {
    if (leaf instanceof X509Certificate certificate) {
      try {
        @Nullable Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        return names == null ? List.of() : names;
      } catch (CertificateParsingException e) {
        // Names that cannot be read name nobody.
        return List.of();
      }
    }
    return List.of();
  }
}
