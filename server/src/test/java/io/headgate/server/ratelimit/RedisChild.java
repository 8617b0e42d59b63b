package io.headgate.server.ratelimit;

import io.headgate.fixtures.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.awaitility.Awaitility;

/** A real redis-server, which must be installed: {@code ./check} sees to it. */
final class RedisChild implements AutoCloseable {

  private final int port;
  private final Process process;

  private RedisChild(int port) throws IOException {
    this.port = port;
    process =
        new ProcessBuilder("redis-server", "--port", "" + port, "--bind", "127.0.0.1", "--save", "")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptions()
        .until(
            () -> {
              try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                return true;
              }
            });
  }

  static RedisChild start() throws IOException {
    return on(FreePorts.next());
  }

  static RedisChild on(int port) throws IOException {
    return new RedisChild(port);
  }

  int port() {
    return port;
  }

  /** Stops the process as it is, connections and all. */
  void freeze() throws IOException, InterruptedException {
    signal("-STOP");
  }

  void thaw() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", name, Long.toString(process.pid())).start().waitFor();
  }

  /** Ends the process at once, as a crash would. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
