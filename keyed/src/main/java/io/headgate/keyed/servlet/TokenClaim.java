package io.headgate.keyed.servlet;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.JWTProcessor;
import jakarta.servlet.http.HttpServletRequest;
import java.text.ParseException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A claim of the bearer token of a request, if its signature and times are right. Of a token that
 * is not, nothing is believed: such requests have no key.
 */
public final class TokenClaim implements KeySource {

  private static final String BEARER = "Bearer ";

  private final JWTProcessor<SecurityContext> processor;
  private final String claim;

  private TokenClaim(JWTProcessor<SecurityContext> processor, String claim) {
    this.processor = processor;
    this.claim = claim;
  }

  /** A claim of tokens that the processor given accepts: {@link TokenKeys} makes some. */
  public static TokenClaim of(JWTProcessor<SecurityContext> processor, String claim) {
    return new TokenClaim(processor, claim);
  }

  /** A claim of tokens that are signed by one of the keys given, with the algorithm given alone. */
  public static TokenClaim signed(
      JWKSource<SecurityContext> keys, JWSAlgorithm algorithm, String claim) {
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithm, keys));
    return of(processor, claim);
  }

  /**
   * A claim of tokens that are signed with a shared secret, by HMAC with SHA-256.
   *
   * @throws IllegalArgumentException if the secret has fewer than 32 bytes
   */
  public static TokenClaim sharedSecret(byte[] secret, String claim) {
    return of(TokenKeys.sharedSecret(secret, null, Set.of()), claim);
  }

  @Override
  public @Nullable String key(HttpServletRequest request) {
    String header = request.getHeader("Authorization");
    if (header == null || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return null;
    }
    try {
      Object value =
          processor.process(header.substring(BEARER.length()).strip(), null).getClaim(claim);
      return value == null ? null : value.toString();
    } catch (ParseException | BadJOSEException | JOSEException e) {
      return null; // who it claims to be is not believed
    }
  }
}
