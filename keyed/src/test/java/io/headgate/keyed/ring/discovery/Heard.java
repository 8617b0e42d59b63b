package io.headgate.keyed.ring.discovery;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** What a discovery told, in the order that it told it. */
public final class Heard implements Consumer<List<PeerInfo>> {

  private final List<List<PeerInfo>> lists = new CopyOnWriteArrayList<>();

  @Override
  public void accept(List<PeerInfo> peers) {
    lists.add(peers);
  }

  /** The addresses told last; none if nothing was told. */
  public List<String> addresses() {
    return latest().stream().map(PeerInfo::grpcAddress).toList();
  }

  public List<PeerInfo> latest() {
    return lists.isEmpty() ? List.of() : lists.get(lists.size() - 1);
  }

  /** All that was told. */
  public List<List<PeerInfo>> lists() {
    return lists;
  }
}
