package io.headgate.keyed.ring.discovery;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a discovery tells the ring: each list of peers once, when it differs from the one before, in
 * the order of the addresses and without duplicates; and what is wrong at the moment.
 */
public final class PeerNews {

  private static final System.Logger log = System.getLogger(PeerNews.class.getName());

  private @Nullable Consumer<List<PeerInfo>> listener;
  private List<PeerInfo> last = List.of();
  private boolean closed;
  private volatile String problem = "";

  /**
   * Names who is told.
   *
   * @throws IllegalStateException if somebody was named before
   */
  public synchronized void start(Consumer<List<PeerInfo>> listener) {
    if (this.listener != null || closed) {
      throw new IllegalStateException(
          "peer discovery: started again (expected: start() once, before close())");
    }
    this.listener = listener;
  }

  /**
   * Tells of peers, unless these are the ones that are known. Of several with one gRPC address the
   * first counts. An empty list says nothing of use, so the last peers stay; whoever has one says
   * by {@link #problem(String)} what is missing.
   */
  public synchronized void peers(Collection<PeerInfo> found) {
    List<PeerInfo> next = sorted(found);
    if (listener == null || closed || next.isEmpty() || next.equals(last)) {
      return;
    }
    last = next;
    log.log(Level.INFO, "peers: {0}", next.stream().map(PeerInfo::grpcAddress).toList());
    try {
      listener.accept(next);
    } catch (RuntimeException e) {
      log.log(Level.ERROR, "the ring did not take its new peers", e);
    }
  }

  /** Says what is wrong; empty if nothing is. */
  public void problem(String text) {
    String before = problem;
    problem = text;
    if (!text.equals(before)) {
      if (text.isEmpty()) {
        log.log(Level.INFO, "peers are found again");
      } else {
        log.log(Level.WARNING, "{0}", text);
      }
    }
  }

  /** What is wrong at the moment; empty if nothing is. */
  public String problem() {
    return problem;
  }

  /** Tells nothing any more, also not by a call that is under way in another thread. */
  public synchronized void close() {
    closed = true;
  }

  private static List<PeerInfo> sorted(Collection<PeerInfo> peers) {
    Map<String, PeerInfo> byAddress = new LinkedHashMap<>();
    peers.forEach(peer -> byAddress.putIfAbsent(peer.grpcAddress(), peer));
    List<PeerInfo> result = new ArrayList<>(byAddress.values());
    result.sort(Comparator.comparing(PeerInfo::grpcAddress));
    return List.copyOf(result);
  }
}
