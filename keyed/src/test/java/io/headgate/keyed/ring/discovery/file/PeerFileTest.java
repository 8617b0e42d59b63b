package io.headgate.keyed.ring.discovery.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.keyed.ring.discovery.Heard;
import io.headgate.keyed.ring.discovery.PeerInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerFileTest {

  private final Heard heard = new Heard();
  @TempDir private Path directory;
  private Path file;
  private PeerFile peers;

  @BeforeEach
  void file() {
    file = directory.resolve("peers");
    peers = new PeerFile(file, "here", Duration.ofMillis(20));
  }

  @AfterEach
  void end() {
    peers.close();
  }

  @Test
  void holdsAPeerALine() throws IOException {
    Files.writeString(
        file, "# the cluster\n\n10.0.0.2:1051 us-east\n [::1]:1051\teu  # this one\r\nnode-1:1051");
    peers.start(heard);
    assertThat(heard.latest())
        .containsExactly(
            new PeerInfo("10.0.0.2:1051", "", "us-east"),
            new PeerInfo("[::1]:1051", "", "eu"),
            new PeerInfo("node-1:1051", "", "here"));
    assertThat(peers.problem()).isEmpty();
  }

  @Test
  void orJson() throws IOException {
    Files.writeString(file, "{\"grpc-address\":\"a:1\"}\n{\"grpc-address\":\"b:1\"}\n");
    peers.start(heard);
    assertThat(heard.addresses()).containsExactly("a:1", "b:1");
    Files.writeString(file, "[{\"grpc-address\":\"c:1\",\"data-center\":\"eu\"}]");
    await().until(() -> heard.latest().equals(List.of(new PeerInfo("c:1", "", "eu"))));
  }

  @Test
  void aMistakeIsToldWithItsPlaceAndChangesNothing() throws IOException {
    Files.writeString(file, "a:1\nb:1\n");
    peers.start(heard);
    Files.writeString(file, "a:1\n\nc\n");
    awaitProblem(
        file
            + ":3: 'c' (expected: host:port, and after a space the data center if there are"
            + " several)");
    Files.writeString(file, "a:1\na:1 eu\n");
    awaitProblem(file + ":2: 'a:1' stands in line 1 too (expected: once)");
    Files.writeString(file, "a:1 eu west\n");
    awaitProblem(
        file
            + ":1: 'a:1 eu west' (expected: host:port, and after a space the data center if there"
            + " are several)");
    Files.writeString(file, "a:99999\n");
    awaitProblem(
        file
            + ":1: 'a:99999' (expected: host:port, and after a space the data center if there are"
            + " several)");
    Files.writeString(file, "# nobody\n");
    awaitProblem(file + ":1: no peer (expected: at least this node)");
    Files.write(file, "käse:1\n".getBytes(ISO_8859_1));
    awaitProblem(file + ":1: bytes that are no text (expected: UTF-8)");
    Files.delete(file);
    awaitProblem(file + ": no such file (expected: a file of peers)");
    assertThat(heard.addresses()).containsExactly("a:1", "b:1");

    Files.writeString(file, "a:1\nb:1\nc:1\n");
    await().until(() -> heard.addresses().equals(List.of("a:1", "b:1", "c:1")));
    await().until(() -> peers.problem().isEmpty());
    assertThat(heard.lists()).hasSize(2);
  }

  @Test
  void aFileThatComesLaterIsRead() throws IOException {
    peers.start(heard);
    assertThat(peers.problem()).isEqualTo(file + ": no such file (expected: a file of peers)");
    assertThat(heard.lists()).isEmpty();
    Files.writeString(file, "a:1\n");
    await().until(() -> heard.addresses().equals(List.of("a:1")));
    await().until(() -> peers.problem().isEmpty());
  }

  @Test
  void theGoodVersionThatComesBackEndsTheProblem() throws IOException {
    Files.writeString(file, "a:1\n");
    peers.start(heard);
    Files.delete(file);
    awaitProblem(file + ": no such file (expected: a file of peers)");
    Files.writeString(file, "a:1\n");
    await().until(() -> peers.problem().isEmpty());
    assertThat(heard.lists()).hasSize(1);
  }

  /** That is how configuration is mounted into containers. */
  @Test
  void aLinkThatIsTurnedIsFollowed() throws IOException {
    Path one = Files.writeString(directory.resolve("one"), "a:1\n");
    Path two = Files.writeString(directory.resolve("two"), "b:1\n");
    Files.createSymbolicLink(file, one);
    peers.start(heard);
    Files.delete(file);
    Files.createSymbolicLink(file, two);
    await().until(() -> heard.addresses().equals(List.of("b:1")));
  }

  private void awaitProblem(String text) {
    await().untilAsserted(() -> assertThat(peers.problem()).isEqualTo(text));
  }
}
