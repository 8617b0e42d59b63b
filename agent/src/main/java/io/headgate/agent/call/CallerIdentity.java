package io.headgate.agent.call;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides who made a call that comes in. A client certificate decides alone where there is one: the
 * {@link CallHeaders#CALLER} header of such a connection is never read.
 *
 * <p>A name that is missing, blank, longer than {@value #MAX_LENGTH} characters or not printable
 * ASCII becomes {@value #UNKNOWN}, so that all such callers share the limits of one.
 */
public final class CallerIdentity {

  /** The caller that cannot be named. */
  public static final String UNKNOWN = "unknown";

  /** The longest name of a caller, in characters. */
  public static final int MAX_LENGTH = 128;

  private static final CallerIdentity CERTIFICATE_OR_HEADER =
      new CallerIdentity(true, Function.identity());
  private static final CallerIdentity CERTIFICATE_ONLY =
      new CallerIdentity(false, Function.identity());

  private final boolean trustsHeader;
  private final Function<String, ? extends @Nullable String> nameOfSpiffeId;

  private CallerIdentity(
      boolean trustsHeader, Function<String, ? extends @Nullable String> nameOfSpiffeId) {
    this.trustsHeader = trustsHeader;
    this.nameOfSpiffeId = nameOfSpiffeId;
  }

  /**
   * The SPIFFE id of the client certificate, and the header on connections without a certificate.
   * For networks in which callers are trusted to name themselves.
   */
  public static CallerIdentity certificateOrHeader() {
    return CERTIFICATE_OR_HEADER;
  }

  /** The SPIFFE id of the client certificate alone; without one, the caller is unknown. */
  public static CallerIdentity certificateOnly() {
    return CERTIFICATE_ONLY;
  }

  /**
   * The same, with names of one's own for certificates.
   *
   * @param nameOfSpiffeId gives the caller's name for a SPIFFE id without its scheme, such as
   *     {@code example.org/ns/prod/sa/checkout}, and null for one it does not know; called for each
   *     request, and must not throw. Without it the id is the name.
   */
  public CallerIdentity named(Function<String, ? extends @Nullable String> nameOfSpiffeId) {
    return new CallerIdentity(trustsHeader, nameOfSpiffeId);
  }

  /**
   * The caller on a connection with a client certificate.
   *
   * @param spiffeId as {@link SpiffeId#of} gives it; may be empty
   */
  public String ofCertificate(String spiffeId) {
    return spiffeId.isEmpty() ? UNKNOWN : checked(nameOfSpiffeId.apply(spiffeId));
  }

  /**
   * The caller on a connection without a client certificate.
   *
   * @param header the {@link CallHeaders#CALLER} header
   */
  public String ofHeader(@Nullable String header) {
    return trustsHeader ? checked(header) : UNKNOWN;
  }

  private static String checked(@Nullable String name) {
    if (name == null || name.length() > MAX_LENGTH || name.isBlank()) {
      return UNKNOWN;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < ' ' || c > '~') {
        return UNKNOWN;
      }
    }
    return name.strip();
  }
}
