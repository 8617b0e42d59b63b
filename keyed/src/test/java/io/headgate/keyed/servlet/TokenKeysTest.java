package io.headgate.keyed.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.JWTProcessor;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of an issuer that publishes its keys over HTTP, or in a file, and changes them. */
class TokenKeysTest {

  private static final String ISSUER = "https://issuer.example";
  private static RSAKey rsa;
  private static ECKey first;
  private static ECKey second;

  private final AtomicInteger readings = new AtomicInteger();
  private volatile String published = "";
  private HttpServer issuer;

  @BeforeAll
  static void makeKeys() throws JOSEException {
    rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
    first = new ECKeyGenerator(Curve.P_256).keyID("first").generate();
    second = new ECKeyGenerator(Curve.P_256).keyID("second").generate();
  }

  @BeforeEach
  void serve() throws IOException {
    issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    issuer.createContext(
        "/keys",
        exchange -> {
          readings.incrementAndGet();
          byte[] body = published.getBytes(UTF_8);
          exchange.sendResponseHeaders(body.length == 0 ? 503 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    issuer.start();
  }

  @AfterEach
  void stop() {
    issuer.stop(0);
  }

  private static String keySet(JWK... keys) {
    return new JWKSet(java.util.List.of(keys)).toString(true); // the public parts
  }

  private JWTProcessor<SecurityContext> verifier(Duration pause) {
    URI uri = URI.create("http://127.0.0.1:" + issuer.getAddress().getPort() + "/keys");
    return TokenKeys.at(uri, TokenKeys.DEFAULT_ALGORITHMS, ISSUER, Set.of("payments"), pause);
  }

  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .claim("customer", "42")
        .issuer(ISSUER)
        .audience("payments")
        .expirationTime(Date.from(Instant.now().plusSeconds(600)));
  }

  private static String sign(JWK key, JWTClaimsSet claims) {
    try {
      boolean isRsa = key instanceof RSAKey;
      JWSSigner signer = isRsa ? new RSASSASigner(key.toRSAKey()) : new ECDSASigner(key.toECKey());
      JWSAlgorithm algorithm = isRsa ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256;
      SignedJWT token =
          new SignedJWT(new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), claims);
      token.sign(signer);
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable Object customer(JWTProcessor<SecurityContext> verifier, String token) {
    try {
      return verifier.process(token, null).getClaim("customer");
    } catch (ParseException | BadJOSEException | JOSEException e) {
      return null;
    }
  }

  @Test
  void tokensSignedWithRsaOrAnEllipticCurveAreBelieved() {
    published = keySet(rsa, first);
    JWTProcessor<SecurityContext> verifier = verifier(Duration.ofMinutes(1));
    assertThat(customer(verifier, sign(rsa, claims().build()))).isEqualTo("42");
    assertThat(customer(verifier, sign(first, claims().build()))).isEqualTo("42");
    assertThat(readings).hasValue(1);
  }

  @Test
  void whatIsWrongWithATokenIsNotBelieved() throws Exception {
    published = keySet(rsa, first);
    JWTProcessor<SecurityContext> verifier = verifier(Duration.ofMinutes(1));
    ECKey stranger = new ECKeyGenerator(Curve.P_256).keyID("first").generate();
    assertThat(customer(verifier, sign(stranger, claims().build()))).isNull();
    assertThat(customer(verifier, sign(first, claims().issuer("https://other").build()))).isNull();
    assertThat(customer(verifier, sign(first, claims().audience("mail").build()))).isNull();
    assertThat(customer(verifier, sign(first, claims().expirationTime(new Date(0)).build())))
        .isNull();

    // The public key, which everybody has, taken for a shared secret.
    SignedJWT confused =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa").build(), claims().build());
    confused.sign(new MACSigner(rsa.toPublicKey().getEncoded()));
    assertThat(customer(verifier, confused.serialize())).isNull();
  }

  @Test
  void aChangeOfKeysNeedsNoRestart() {
    published = keySet(first);
    JWTProcessor<SecurityContext> verifier = verifier(Duration.ZERO);
    assertThat(customer(verifier, sign(first, claims().build()))).isEqualTo("42");

    published = keySet(second);
    assertThat(customer(verifier, sign(second, claims().build()))).isEqualTo("42");
    assertThat(customer(verifier, sign(first, claims().build()))).isNull();
  }

  @Test
  void whoeverSendsUnknownKeysMakesNobodyReadThemAllTheTime() throws Exception {
    published = keySet(first);
    JWTProcessor<SecurityContext> verifier = verifier(Duration.ofMinutes(1));
    customer(verifier, sign(first, claims().build()));
    for (int i = 0; i < 20; i++) {
      assertThat(customer(verifier, sign(second, claims().build()))).isNull();
      assertThat(customer(verifier, sign(first, claims().build()))).isEqualTo("42");
    }
    assertThat(readings).hasValue(1);
  }

  @Test
  void keysThatCannotBeReadAnyMoreHold() {
    published = keySet(first);
    JWTProcessor<SecurityContext> verifier = verifier(Duration.ZERO);
    customer(verifier, sign(first, claims().build()));
    published = "";
    assertThat(customer(verifier, sign(second, claims().build()))).isNull();
    assertThat(customer(verifier, sign(first, claims().build()))).isEqualTo("42");
  }

  @Test
  void anIssuerThatIsGoneFromTheBeginningIsNotAskedByEachRequest() {
    JWTProcessor<SecurityContext> verifier = verifier(Duration.ofMinutes(1));
    for (int i = 0; i < 10; i++) {
      assertThat(customer(verifier, sign(first, claims().build()))).isNull();
    }
    assertThat(readings.get()).isLessThanOrEqualTo(2);
  }

  @Test
  void keysMayStandInAFileThatChanges(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("keys.json");
    Files.writeString(file, keySet(first));
    JWTProcessor<SecurityContext> verifier =
        TokenKeys.at(file.toUri(), TokenKeys.DEFAULT_ALGORITHMS, null, Set.of(), Duration.ZERO);
    assertThat(customer(verifier, sign(first, claims().build()))).isEqualTo("42");
    Files.writeString(file, keySet(second));
    assertThat(customer(verifier, sign(second, claims().build()))).isEqualTo("42");
  }

  @Test
  void mistakesAreNamed() {
    URI uri = URI.create("https://issuer.example/keys");
    assertThatThrownBy(() -> TokenKeys.at(uri, Set.of(JWSAlgorithm.HS256), null, Set.of()))
        .hasMessage(
            "algorithms: [HS256] (expected: some with a public key, such as RS256 or ES256)");
    assertThatThrownBy(
            () ->
                TokenKeys.at(URI.create("keys.json"), TokenKeys.DEFAULT_ALGORITHMS, null, Set.of()))
        .hasMessageStartingWith("keys: keys.json (expected: an https:, http: or file: address");
  }
}
