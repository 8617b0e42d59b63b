package io.headgate.agent.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallerIdentityTest {

  @Test
  void takesTheHeaderForTheName() {
    assertThat(CallerIdentity.certificateOrHeader().ofHeader(" checkout ")).isEqualTo("checkout");
  }

  @Test
  void takesTheSpiffeIdForTheName() {
    assertThat(
            CallerIdentity.certificateOrHeader().ofCertificate("example.org/ns/prod/sa/checkout"))
        .isEqualTo("example.org/ns/prod/sa/checkout");
  }

  @Test
  void trustsNoHeaderWhereACertificateIsAsked() {
    assertThat(CallerIdentity.certificateOnly().ofHeader("checkout")).isEqualTo("unknown");
    assertThat(CallerIdentity.certificateOnly().named(id -> "x").ofHeader("checkout"))
        .isEqualTo("unknown");
  }

  @Test
  void letsUsersNameTheHoldersOfCertificates() {
    CallerIdentity identity =
        CallerIdentity.certificateOnly()
            .named(id -> id.startsWith("example.org/") ? id.substring(12) : null);

    assertThat(identity.ofCertificate("example.org/checkout")).isEqualTo("checkout");
    assertThat(identity.ofCertificate("example.com/checkout")).isEqualTo("unknown");
    assertThat(identity.ofCertificate("")).isEqualTo("unknown");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " ", "a\nb", "a\tb", "a\u0000", "caf\u00e9", "a\u007f"})
  void doesNotKnowWhoHasNoPrintableName(String name) {
    assertThat(CallerIdentity.certificateOrHeader().ofHeader(name)).isEqualTo("unknown");
    assertThat(CallerIdentity.certificateOnly().named(id -> name).ofCertificate("example.org/a"))
        .isEqualTo("unknown");
  }

  @Test
  void boundsTheLengthOfNames() {
    assertThat(CallerIdentity.certificateOrHeader().ofHeader("a".repeat(128))).hasSize(128);
    assertThat(CallerIdentity.certificateOrHeader().ofHeader("a".repeat(129))).isEqualTo("unknown");
  }
}
