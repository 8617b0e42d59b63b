package io.headgate.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that tests start.
 *
 * <p>They are below those that systems use for outgoing connections: a server that was killed finds
 * its port free again, and nobody who tries to connect meanwhile connects to himself. The same is
 * true of the ports 10,000 above, which nodes of a Redis Cluster talk to one another on.
 */
public final class FreePorts {

  private static final int FROM = 10_000;
  private static final int TO = 22_000;
  private static final int ATTEMPTS = 1_000;

  private static final Set<Integer> given = ConcurrentHashMap.newKeySet();

  private FreePorts() {}

  /** A port of the loopback address that nobody listens on, and that was not given before. */
  public static int next() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FROM, TO);
      if (isFree(port) && given.add(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port from " + FROM + " to " + TO);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
