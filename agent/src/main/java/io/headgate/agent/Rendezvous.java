package io.headgate.agent;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Highest random weight hashing (Thaler and Ravishankar, 1998): each client ranks the addresses in
 * an order of its own, so that clients spread evenly, and those of a lost address spread evenly
 * over the rest.
 */
final class Rendezvous {

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private Rendezvous() {}

  /** The addresses in the order in which {@code clientId} prefers them. */
  static List<String> order(String clientId, Collection<String> addresses) {
    return addresses.stream()
        .distinct()
        .sorted(
            Comparator.<String>comparingLong(address -> weight(clientId, address))
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  private static long weight(String clientId, String address) {
    return mix(fnv1a(fnv1a(FNV_OFFSET, clientId) * FNV_PRIME, address));
  }

  private static long fnv1a(long hash, String text) {
    long result = hash;
    for (int i = 0; i < text.length(); i++) {
      result = (result ^ text.charAt(i)) * FNV_PRIME;
    }
    return result;
  }

  /** The finalizer of MurmurHash3: FNV alone leaves the upper bits of similar texts alike. */
  private static long mix(long hash) {
    long mixed = hash;
    mixed = (mixed ^ mixed >>> 33) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ mixed >>> 33;
  }
}
