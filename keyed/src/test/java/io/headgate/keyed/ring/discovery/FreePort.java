package io.headgate.keyed.ring.discovery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;

/** Ports for servers that tests start. */
public final class FreePort {

  private FreePort() {}

  /** A port that nothing listens on, outside of where outgoing connections begin. */
  public static int next() {
    for (int tries = 0; tries < 100; tries++) {
      try (ServerSocket socket = new ServerSocket(0)) {
        if (socket.getLocalPort() <= 55_000) {
          return socket.getLocalPort();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    throw new IllegalStateException("no free port up to 55000");
  }
}
