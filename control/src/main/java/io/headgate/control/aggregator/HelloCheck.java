package io.headgate.control.aggregator;

import io.headgate.protocol.link.Acceptor.Peer;
import io.headgate.protocol.v1.AgentHello;
import org.jspecify.annotations.Nullable;

/** Decides whether a client may report here, by its hello and its certificate. */
final class HelloCheck {

  private static final int MAX_ID_LENGTH = 128;
  private static final int MAX_NAME_LENGTH = 512;
  private static final String SPIFFE = "spiffe://";

  /** Who reports for the proxies of any service. */
  private static final String PROXIES = "headgate-envoy";

  /**
   * Why a client may not.
   *
   * @param tag the reason as the tag of a metric
   * @param text the reason for a log: what was found and what was expected
   */
  record Objection(String tag, String text) {}

  private final AggregatorSettings settings;

  HelloCheck(AggregatorSettings settings) {
    this.settings = settings;
  }

  /** What speaks against the client, or null. */
  @Nullable Objection check(AgentHello hello, Peer peer) {
    if (!isId(hello.getClientId())) {
      return new Objection(
          "bad_hello",
          "client id of "
              + hello.getClientId().length()
              + " characters (expected: 1 to "
              + MAX_ID_LENGTH
              + " printable ASCII characters)");
    }
    if (hello.getService().isEmpty() || hello.getService().length() > MAX_NAME_LENGTH) {
      return new Objection(
          "bad_hello",
          "service name of "
              + hello.getService().length()
              + " characters (expected: 1 to "
              + MAX_NAME_LENGTH
              + ")");
    }
    if (!hello.getRegion().equals(settings.region()) || !hello.getZone().equals(settings.zone())) {
      return new Objection(
          "wrong_zone",
          "client '"
              + hello.getClientId()
              + "' is in region '"
              + shorten(hello.getRegion())
              + "', zone '"
              + shorten(hello.getZone())
              + "' (expected: '"
              + settings.region()
              + "', '"
              + settings.zone()
              + "')");
    }
    if (settings.requireIdentity()
        && !peer.identities().isEmpty()
        && !isNamed(peer, hello.getService())) {
      return new Objection(
          "identity",
          "client '"
              + hello.getClientId()
              + "' reports as service '"
              + hello.getService()
              + "', its certificate is for "
              + peer.identities()
              + " (expected: a SPIFFE id that ends in the service, or in "
              + PROXIES
              + ")");
    }
    return null;
  }

  private static boolean isId(String id) {
    return !id.isEmpty()
        && id.length() <= MAX_ID_LENGTH
        && id.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  private static boolean isNamed(Peer peer, String service) {
    for (String identity : peer.identities()) {
      if (identity.startsWith(SPIFFE)) {
        String name = identity.substring(identity.lastIndexOf('/') + 1);
        if (name.equals(service) || name.equals(PROXIES)) {
          return true;
        }
      }
    }
    return false;
  }

  /** What a stranger sends must not fill the log. */
  private static String shorten(String name) {
    return name.length() <= MAX_ID_LENGTH ? name : name.substring(0, MAX_ID_LENGTH) + "...";
  }
}
