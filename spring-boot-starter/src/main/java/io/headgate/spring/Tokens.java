package io.headgate.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.proc.JWTProcessor;
import io.headgate.keyed.servlet.KeySource;
import io.headgate.keyed.servlet.TokenClaim;
import io.headgate.keyed.servlet.TokenKeys;
import java.net.URI;
import java.util.Set;
import java.util.stream.Collectors;

/** Kept apart, so that an application without Nimbus JOSE + JWT loads none of it. */
final class Tokens {

  private final JWTProcessor<SecurityContext> verifier;

  /**
   * @throws IllegalArgumentException if what is said of tokens is wrong; the message says what
   */
  Tokens(KeyedProperties.Token token) {
    String secret = token.sharedSecret();
    URI keys = token.keys();
    if (secret != null && keys == null) {
      verifier = TokenKeys.sharedSecret(secret.getBytes(UTF_8), token.issuer(), token.audience());
    } else if (keys != null && secret == null) {
      verifier = TokenKeys.at(keys, algorithms(token), token.issuer(), token.audience());
    } else {
      throw new IllegalArgumentException(
          "headgate.keyed.token: "
              + (keys == null ? "neither" : "both")
              + " of shared-secret and keys (expected: one of them)");
    }
  }

  private static Set<JWSAlgorithm> algorithms(KeyedProperties.Token token) {
    return token.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
  }

  KeySource claim(String name) {
    return TokenClaim.of(verifier, name);
  }
}
