package io.headgate.keyed.ring.discovery.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.keyed.ring.discovery.MalformedPeerException;
import io.headgate.keyed.ring.discovery.PeerInfo;
import org.junit.jupiter.api.Test;

class PeerJsonTest {

  @Test
  void hasTheNamesThatGubernatorUses() {
    assertThat(PeerJson.write(new PeerInfo("10.0.0.1:1051", "10.0.0.1:1050", "eu")))
        .isEqualTo(
            "{\"data-center\":\"eu\",\"http-address\":\"10.0.0.1:1050\","
                + "\"grpc-address\":\"10.0.0.1:1051\"}");
  }

  @Test
  void readsWhatAGoNodeWrote() throws MalformedPeerException {
    assertThat(
            PeerJson.read(
                "{\"data-center\":\"eu\",\"http-address\":\"10.0.0.1:1050\","
                    + "\"grpc-address\":\"10.0.0.1:1051\",\"is-owner\":true}"))
        .isEqualTo(new PeerInfo("10.0.0.1:1051", "10.0.0.1:1050", "eu"));
  }

  @Test
  void skipsWhatItDoesNotKnow() throws MalformedPeerException {
    assertThat(PeerJson.read("{\"zones\":[{\"a\":[]}],\"grpc-address\":\"a:1\"}"))
        .isEqualTo(PeerInfo.of("a:1"));
  }

  @Test
  void saysInWhichLineAMistakeIs() {
    assertMalformed("{\"grpc-address\":\"a:1\"}\n{\"http-address\":\"b:2\"}", 2, "grpc-address");
    assertMalformed("[\n{\"grpc-address\":\"a:1\"},\n7]", 3, "'7' (expected: {\"grpc-address\"");
    assertMalformed("[\n{\"grpc-address\":\n7}]", 3, "\"grpc-address\": 7 (expected: a string)");
    assertMalformed("[\n{\"grpc-address\":\"a:1\"}", 2, "expected: {\"grpc-address\"");
    assertMalformed("{\n\"grpc-address\":\"a:1\",\n\"grpc-address\":\"b:1\"}", 3, "Duplicate");
    assertMalformed("[[]]", 1, "'[' (expected");
  }

  private static void assertMalformed(String text, int line, String part) {
    assertThatThrownBy(() -> PeerJson.readAll(text))
        .isInstanceOfSatisfying(
            MalformedPeerException.class, e -> assertThat(e.line()).isEqualTo(line))
        .hasMessageContaining(part);
  }
}
