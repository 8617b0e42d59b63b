package io.headgate.keyed.ring.discovery;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** Peers that are known from the beginning and never change. */
public final class StaticPeers implements PeerDiscovery {

  private final List<PeerInfo> peers;
  private final PeerNews news = new PeerNews();

  private StaticPeers(List<PeerInfo> peers) {
    this.peers = peers;
  }

  /**
   * These peers, this node among them.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static StaticPeers of(Collection<PeerInfo> peers) {
    if (peers.isEmpty()) {
      throw new IllegalArgumentException("peers: none (expected: at least this node)");
    }
    return new StaticPeers(List.copyOf(peers));
  }

  @Override
  public void start(Consumer<List<PeerInfo>> listener) {
    news.start(listener);
    news.peers(peers);
  }

  @Override
  public String problem() {
    return news.problem();
  }

  @Override
  public void close() {
    news.close();
  }
}
