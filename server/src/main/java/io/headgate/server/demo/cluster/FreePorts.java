package io.headgate.server.demo.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Finds ports that nobody listens on. They are below the range that systems use for outgoing
 * connections, so that a tier that was killed finds its port free again, and nobody who tries to
 * connect meanwhile connects to himself.
 */
final class FreePorts {

  private static final int FROM = 20_000;
  private static final int TO = 32_000;
  private static final int ATTEMPTS = 1_000;

  private final RandomGenerator random;
  private final Set<Integer> given = new HashSet<>();

  FreePorts(RandomGenerator random) {
    this.random = random;
  }

  /** A free port of the loopback address that was not given before. */
  int next() throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = random.nextInt(FROM, TO);
      if (!given.contains(port) && isFree(port)) {
        given.add(port);
        return port;
      }
    }
    throw new IOException("no free port from " + FROM + " to " + TO + " on the loopback address");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
