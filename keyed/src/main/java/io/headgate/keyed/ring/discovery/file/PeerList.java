package io.headgate.keyed.ring.discovery.file;

import io.headgate.keyed.ring.discovery.MalformedPeerException;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.discovery.json.PeerJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The text of a file of peers: a peer a line, {@code host:port} and its data center if there are
 * several, {@code #} begins a comment; or JSON, which begins with a brace or a bracket.
 */
final class PeerList {

  private static final String EXPECTED =
      "expected: host:port, and after a space the data center if there are several";

  private PeerList() {}

  /**
   * Reads all peers.
   *
   * @param dataCenter where those are that have none
   * @throws MalformedPeerException at the first mistake, also if there is no peer at all
   */
  static List<PeerInfo> read(String text, String dataCenter) throws MalformedPeerException {
    String start = text.stripLeading();
    List<PeerInfo> peers =
        start.startsWith("{") || start.startsWith("[") ? PeerJson.readAll(text) : readLines(text);
    if (peers.isEmpty()) {
      throw new MalformedPeerException(1, "no peer (expected: at least this node)");
    }
    return peers.stream().map(peer -> peer.orIn(dataCenter)).toList();
  }

  private static List<PeerInfo> readLines(String text) throws MalformedPeerException {
    List<PeerInfo> peers = new ArrayList<>();
    Map<String, Integer> lineOfAddress = new HashMap<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      int comment = line.indexOf('#');
      String content = (comment < 0 ? line : line.substring(0, comment)).strip();
      if (content.isEmpty()) {
        continue;
      }
      PeerInfo peer = readLine(number, content);
      Integer before = lineOfAddress.putIfAbsent(peer.grpcAddress(), number);
      if (before != null) {
        throw new MalformedPeerException(
            number,
            "'" + peer.grpcAddress() + "' stands in line " + before + " too (expected: once)");
      }
      peers.add(peer);
    }
    return peers;
  }

  private static PeerInfo readLine(int number, String content) throws MalformedPeerException {
    List<String> words = List.of(content.split("\\s+", -1));
    if (words.size() > 2) {
      throw new MalformedPeerException(number, "'" + content + "' (" + EXPECTED + ")");
    }
    try {
      return new PeerInfo(words.get(0), "", words.size() == 2 ? words.get(1) : "");
    } catch (IllegalArgumentException e) {
      throw new MalformedPeerException(number, "'" + content + "' (" + EXPECTED + ")");
    }
  }
}
