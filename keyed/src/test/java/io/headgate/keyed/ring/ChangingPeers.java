package io.headgate.keyed.ring;

import io.headgate.keyed.ring.discovery.PeerDiscovery;
import io.headgate.keyed.ring.discovery.PeerInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A list of peers that a test changes. */
final class ChangingPeers {

  private final List<Consumer<List<PeerInfo>>> listeners = new ArrayList<>();
  private List<PeerInfo> peers = List.of();

  synchronized void set(List<PeerInfo> changed) {
    peers = List.copyOf(changed);
    List.copyOf(listeners).forEach(listener -> listener.accept(peers));
  }

  /** How one node sees the list; when it closes, it takes itself off. */
  PeerDiscovery seenBy(PeerInfo self) {
    return new PeerDiscovery() {
      private Consumer<List<PeerInfo>> mine = list -> {};

      @Override
      public void start(Consumer<List<PeerInfo>> listener) {
        synchronized (ChangingPeers.this) {
          mine = listener;
          listeners.add(listener);
          listener.accept(peers);
        }
      }

      @Override
      public String problem() {
        return "";
      }

      @Override
      public void close() {
        synchronized (ChangingPeers.this) {
          listeners.remove(mine);
          List<PeerInfo> others = new ArrayList<>(peers);
          others.remove(self);
          set(others);
        }
      }
    };
  }
}
