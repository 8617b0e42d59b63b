package io.headgate.server.run;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * A host and a TCP port.
 *
 * @param host a name or an IP address; an IPv6 address without its brackets
 * @param port 0 to 65535; where something listens, 0 means any free port
 */
public record HostPort(String host, int port) {

  private static final int MAX_PORT = 65535;

  /**
   * Reads {@code host:port}; an IPv6 address stands in brackets.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static HostPort parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.contains(":")) {
      throw malformed(text);
    }
    if (host.isBlank() || host.contains("/")) {
      throw malformed(text);
    }
    int port;
    try {
      port = Integer.parseInt(text.substring(colon + 1));
    } catch (NumberFormatException e) {
      throw malformed(text);
    }
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "port " + port + " in '" + text + "' (expected: 0 to " + MAX_PORT + ")");
    }
    return new HostPort(host, port);
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "'" + text + "' (expected: host:port, such as 127.0.0.1:7070 or [::1]:7070)");
  }

  /** The address of a socket; unresolved if the host has no address. */
  public InetSocketAddress socketAddress() {
    return new InetSocketAddress(host, port);
  }

  /** Whether only this machine can reach it. A host without an address is none of this machine. */
  public boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** The same host with another port. */
  public HostPort withPort(int port) {
    return new HostPort(host, port);
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
