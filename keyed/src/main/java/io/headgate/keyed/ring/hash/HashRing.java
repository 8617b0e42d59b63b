package io.headgate.keyed.ring.hash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Consistent hashing with the points of Gubernator's replicated hash, so that nodes of both agree
 * on every owner: peer {@code p} has the points {@code H(i + md5hex(p))}, and a key belongs to the
 * peer of the first point at or after its own hash, around the ring.
 */
public final class HashRing {

  /** Points of a peer, as Gubernator has it. */
  public static final int DEFAULT_REPLICAS = 512;

  private static final int NO_PEERS = -1;

  private final Fnv hash;
  private final List<String> peers;

  /** Rising as unsigned numbers; with the sign bit turned, so that they rise as signed ones too. */
  private final long[] points;

  private final int[] owners;

  /**
   * Lays out a ring.
   *
   * @param peers addresses, without duplicates; none is an empty ring
   * @param replicas points a peer, 1 or more
   */
  public HashRing(Fnv hash, int replicas, List<String> peers) {
    if (replicas < 1) {
      throw new IllegalArgumentException("replicas: " + replicas + " (expected: 1 or more)");
    }
    this.hash = hash;
    this.peers = List.copyOf(peers);
    Point[] sorted = new Point[peers.size() * replicas];
    for (int peer = 0; peer < peers.size(); peer++) {
      String digest = md5(peers.get(peer));
      for (int i = 0; i < replicas; i++) {
        sorted[peer * replicas + i] = new Point(hash.hash(i + digest) ^ Long.MIN_VALUE, peer);
      }
    }
    Arrays.sort(sorted);
    points = new long[sorted.length];
    owners = new int[sorted.length];
    for (int i = 0; i < sorted.length; i++) {
      points[i] = sorted[i].value();
      owners[i] = sorted[i].peer();
    }
  }

  private record Point(long value, int peer) implements Comparable<Point> {
    @Override
    public int compareTo(Point other) {
      int byValue = Long.compare(value, other.value);
      return byValue != 0 ? byValue : Integer.compare(peer, other.peer);
    }
  }

  private static String md5(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }

  /** The peers, in the order in which they were given. */
  public List<String> peers() {
    return peers;
  }

  /** The position, among {@link #peers}, of the owner of a key; -1 if there are no peers. */
  public int ownerIndex(String name, String key) {
    if (peers.size() <= 1) {
      return peers.isEmpty() ? NO_PEERS : 0;
    }
    return indexAt(hash.hash(name, key));
  }

  /** {@link #ownerIndex} for a key that was joined already. */
  int ownerIndexOf(String joined) {
    return indexAt(hash.hash(joined));
  }

  private int indexAt(long point) {
    int at = Arrays.binarySearch(points, point ^ Long.MIN_VALUE);
    int next = at >= 0 ? firstEqual(at) : -at - 1;
    return owners[next == points.length ? 0 : next];
  }

  private int firstEqual(int at) {
    int first = at;
    while (first > 0 && points[first - 1] == points[first]) {
      first--;
    }
    return first;
  }

  /** The address of the owner of a key, or null if there are no peers. */
  public @Nullable String owner(String name, String key) {
    int index = ownerIndex(name, key);
    return index < 0 ? null : peers.get(index);
  }

  /** A number that rings with the same peers share, whatever their order. */
  public long fingerprint() {
    return Fnv.FNV1A.hash(String.join(" ", peers.stream().sorted().toList()));
  }
}
