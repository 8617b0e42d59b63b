package io.headgate.keyed.ring.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class StaticPeersTest {

  private final Heard heard = new Heard();

  @Test
  void areToldOnceInTheOrderOfTheirAddressesWithoutDuplicates() {
    try (StaticPeers peers =
        StaticPeers.of(
            List.of(PeerInfo.of("b:1051"), PeerInfo.of("a:1051"), PeerInfo.of("b:1051")))) {
      peers.start(heard);
      assertThat(heard.lists())
          .containsExactly(List.of(PeerInfo.of("a:1051"), PeerInfo.of("b:1051")));
      assertThat(peers.problem()).isEmpty();
    }
  }

  @Test
  void areNeverNone() {
    assertThatThrownBy(() -> StaticPeers.of(List.of()))
        .hasMessage("peers: none (expected: at least this node)");
  }

  @Test
  void startOnce() {
    StaticPeers peers = StaticPeers.of(List.of(PeerInfo.of("a:1051")));
    peers.start(heard);
    assertThatThrownBy(() -> peers.start(heard)).isInstanceOf(IllegalStateException.class);
    assertThat(heard.lists()).hasSize(1);
  }

  @Test
  void aRingThatFailsOnOneListHearsTheNext() {
    PeerNews news = new PeerNews();
    news.start(
        peers -> {
          heard.accept(peers);
          throw new IllegalStateException("made to fail");
        });
    news.peers(List.of(PeerInfo.of("a:1051")));
    news.peers(List.of(PeerInfo.of("b:1051")));
    assertThat(heard.lists()).hasSize(2);
  }

  @Test
  void nothingIsToldAfterTheEnd() {
    PeerNews news = new PeerNews();
    news.start(heard);
    news.peers(List.of(PeerInfo.of("a:1051")));
    news.close();
    news.peers(List.of(PeerInfo.of("b:1051")));
    assertThat(heard.addresses()).containsExactly("a:1051");
  }
}
