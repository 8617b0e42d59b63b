package io.headgate.keyed.servlet;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.URLBasedJWKSetSource;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.JWTProcessor;
import java.net.MalformedURLException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verifies tokens by the public keys of who issues them: a JSON Web Key Set (RFC 7517) at an
 * address or in a file.
 *
 * <p>Keys are read again after five minutes, and for a token with a key that is not known, but no
 * more often than once in five seconds: a change of keys needs no restart. If they cannot be read,
 * the last ones hold for a day. Reading takes the thread of a request, for a second at most.
 */
public final class TokenKeys {

  private static final int SECOND_MILLIS = 1000;
  private static final int TIMEOUT_MILLIS = SECOND_MILLIS / 2;
  private static final int MAX_BYTES = 1 << 20;
  private static final long KEEP_MILLIS = Duration.ofMinutes(5).toMillis();
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final long OUTAGE_MILLIS = Duration.ofDays(1).toMillis();

  /** What tokens may be signed with if nothing else is said. */
  public static final Set<JWSAlgorithm> DEFAULT_ALGORITHMS =
      Set.of(JWSAlgorithm.RS256, JWSAlgorithm.ES256);

  private TokenKeys() {}

  /**
   * A verifier for {@link TokenClaim#of}.
   *
   * @param keys {@code https:}, {@code http:} or {@code file:}
   * @param algorithms with which tokens may be signed, of those with a public key
   * @param issuer what the claim {@code iss} must say; null if anything
   * @param audience of which the claim {@code aud} must name one; none if anything
   * @throws IllegalArgumentException if the address or an algorithm is of another kind
   */
  public static JWTProcessor<SecurityContext> at(
      URI keys, Set<JWSAlgorithm> algorithms, @Nullable String issuer, Set<String> audience) {
    return at(keys, algorithms, issuer, audience, PAUSE);
  }

  /** With the shortest time between two readings. */
  static JWTProcessor<SecurityContext> at(
      URI keys,
      Set<JWSAlgorithm> algorithms,
      @Nullable String issuer,
      Set<String> audience,
      Duration pause) {
    if (algorithms.isEmpty() || !JWSAlgorithm.Family.SIGNATURE.containsAll(algorithms)) {
      throw new IllegalArgumentException(
          "algorithms: "
              + algorithms.stream().map(JWSAlgorithm::getName).sorted().toList()
              + " (expected: some with a public key, such as RS256 or ES256)");
    }
    return verifier(source(keys, pause), algorithms, issuer, audience);
  }

  /**
   * A verifier for {@link TokenClaim#of} of tokens that are signed with a shared secret, by HMAC
   * with SHA-256.
   *
   * @param issuer what the claim {@code iss} must say; null if anything
   * @param audience of which the claim {@code aud} must name one; none if anything
   * @throws IllegalArgumentException if the secret has fewer than 32 bytes
   */
  public static JWTProcessor<SecurityContext> sharedSecret(
      byte[] secret, @Nullable String issuer, Set<String> audience) {
    if (secret.length < 32) {
      throw new IllegalArgumentException(
          "secret: " + secret.length + " bytes (expected: 32 at least)");
    }
    return verifier(new ImmutableSecret<>(secret), Set.of(JWSAlgorithm.HS256), issuer, audience);
  }

  private static JWTProcessor<SecurityContext> verifier(
      JWKSource<SecurityContext> keys,
      Set<JWSAlgorithm> algorithms,
      @Nullable String issuer,
      Set<String> audience) {
    JWTClaimsSet.Builder exact = new JWTClaimsSet.Builder();
    if (issuer != null) {
      exact.issuer(issuer);
    }
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, keys));
    processor.setJWTClaimsSetVerifier(
        new DefaultJWTClaimsVerifier<>(
            audience.isEmpty() ? null : audience, exact.build(), Set.of(), null));
    return processor;
  }

  private static JWKSource<SecurityContext> source(URI keys, Duration pause) {
    String scheme = keys.getScheme();
    if (scheme == null || !List.of("https", "http", "file").contains(scheme)) {
      throw new IllegalArgumentException(
          "keys: " + keys + " (expected: an https:, http: or file: address of a JSON Web Key Set)");
    }
    try {
      DefaultResourceRetriever retriever =
          new DefaultResourceRetriever(TIMEOUT_MILLIS, TIMEOUT_MILLIS, MAX_BYTES);
      JWKSetSource<SecurityContext> read = new URLBasedJWKSetSource<>(keys.toURL(), retriever);
      return JWKSourceBuilder.create(new KeySets(read, pause.toMillis()))
          .cache(KEEP_MILLIS, SECOND_MILLIS)
          .refreshAheadCache(false) // it would start threads
          .rateLimited(false)
          .outageTolerant(OUTAGE_MILLIS)
          .build();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("keys: " + keys + ": " + e.getMessage(), e);
    }
  }
}
