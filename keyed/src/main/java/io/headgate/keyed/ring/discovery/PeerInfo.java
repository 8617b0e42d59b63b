package io.headgate.keyed.ring.discovery;

/**
 * A node as others find it.
 *
 * @param grpcAddress {@code host:port} of its gRPC port, by which its place on the ring is computed
 * @param httpAddress {@code host:port} of its HTTP port; empty if unknown
 * @param dataCenter the data center that it is in; empty if there is only one
 */
public record PeerInfo(String grpcAddress, String httpAddress, String dataCenter) {

  /**
   * @throws IllegalArgumentException if the gRPC address is not {@code host:port}
   */
  public PeerInfo {
    int colon = grpcAddress.lastIndexOf(':');
    if (colon <= 0 || !isPort(grpcAddress.substring(colon + 1))) {
      throw new IllegalArgumentException(
          "gRPC address of a peer: '" + grpcAddress + "' (expected: host:port)");
    }
  }

  private static boolean isPort(String text) {
    try {
      int port = Integer.parseInt(text);
      return port > 0 && port <= 65_535;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** A peer of which only the gRPC address is known. */
  public static PeerInfo of(String grpcAddress) {
    return new PeerInfo(grpcAddress, "", "");
  }

  /** The same, in {@code dataCenter} if it is in none. */
  public PeerInfo orIn(String dataCenter) {
    return this.dataCenter.isEmpty() ? new PeerInfo(grpcAddress, httpAddress, dataCenter) : this;
  }
}
