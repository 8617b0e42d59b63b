package io.headgate.keyed.ring.discovery.dns;

import java.net.InetAddress;
import java.util.List;

/**
 * What became of a question for the addresses of one family.
 *
 * @param addresses none if the name has none of that family, or nobody could say
 * @param ttlSeconds how long they are good for
 * @param known whether a server knew; if not, the addresses that it had before may still be right
 * @param reason why there are no addresses; empty if there are
 */
record DnsAnswer(List<InetAddress> addresses, long ttlSeconds, boolean known, String reason) {

  static DnsAnswer found(List<InetAddress> addresses, long ttlSeconds) {
    return new DnsAnswer(List.copyOf(addresses), ttlSeconds, true, "");
  }

  static DnsAnswer none(String reason) {
    return new DnsAnswer(List.of(), 0, true, reason);
  }

  static DnsAnswer failed(String reason) {
    return new DnsAnswer(List.of(), 0, false, reason);
  }

  /** This answer of one server, after another one did not know. */
  DnsAnswer after(DnsAnswer failed) {
    return known ? this : failed(failed.reason + ", " + reason);
  }
}
