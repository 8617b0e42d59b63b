package io.headgate.keyed.ring.discovery.dns;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code nameserver} lines of a resolver configuration file. As in OpenBSD's form of it, an
 * address in brackets may be followed by a port: {@code nameserver [127.0.0.1]:5353}.
 */
final class NameServers {

  private static final int DNS_PORT = 53;

  private NameServers() {}

  /**
   * Reads all of them, in the order in which they are to be asked.
   *
   * @throws IOException if there is none, or the file cannot be read; its message says so
   */
  static List<InetSocketAddress> read(Path file) throws IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": no such file (expected: a resolver configuration)", e);
    }
    List<InetSocketAddress> servers = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      List<String> words = List.of(lines.get(i).strip().split("\\s+", 3));
      if (words.get(0).equals("nameserver") && words.size() > 1) {
        InetSocketAddress server = address(words.get(1));
        if (server == null) {
          throw new IOException(
              file + ":" + (i + 1) + ": '" + words.get(1) + "' (expected: an IP address)");
        }
        servers.add(server);
      }
    }
    if (servers.isEmpty()) {
      throw new IOException(file + ": no server (expected: a line 'nameserver ADDRESS')");
    }
    return servers;
  }

  private static @Nullable InetSocketAddress address(String text) throws IOException {
    int port = DNS_PORT;
    String host = text;
    int bracket = text.lastIndexOf("]:");
    if (text.startsWith("[") && bracket > 0) {
      host = text.substring(1, bracket);
      try {
        port = Integer.parseInt(text.substring(bracket + 2));
      } catch (NumberFormatException e) {
        return null;
      }
      if (port < 1 || port > 65_535) {
        return null;
      }
    }
    if (!NetUtil.isValidIpV4Address(host) && !NetUtil.isValidIpV6Address(host)) {
      return null;
    }
    return new InetSocketAddress(InetAddress.getByName(host), port);
  }
}
