package io.headgate.keyed.ring.discovery.dns;

import io.headgate.fixtures.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * A real dnsmasq on the loopback address that knows the names of a hosts file; it must be
 * installed: {@code ./check} sees to it.
 */
final class DnsServer implements AutoCloseable {

  private final Path directory;
  private final Path hosts;
  private final int port = FreePorts.next();
  private Process process;

  private DnsServer(Path directory) {
    this.directory = directory;
    hosts = directory.resolve("hosts");
  }

  /** Answers with a time to live of one second; what is not in {@code hosts} does not exist. */
  static DnsServer start(Path directory, String hosts) throws IOException {
    DnsServer server = new DnsServer(directory);
    Files.writeString(server.hosts, hosts);
    Files.writeString(server.configuration(), "nameserver [127.0.0.1]:" + server.port + "\n");
    server.run();
    return server;
  }

  void run() throws IOException {
    process =
        new ProcessBuilder(
                "dnsmasq",
                "--no-daemon",
                "--conf-file=/dev/null",
                "--port=" + port,
                "--listen-address=127.0.0.1",
                "--bind-interfaces",
                "--no-resolv",
                "--no-hosts",
                "--addn-hosts=" + hosts,
                "--local=/test/",
                "--local-ttl=1",
                "--pid-file=" + directory.resolve("pid"))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    Awaitility.await().ignoreExceptions().until(this::accepts);
  }

  private boolean accepts() throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 500);
      return true;
    }
  }

  /** The resolver configuration that leads to it. */
  Path configuration() {
    return directory.resolve("resolv.conf");
  }

  int port() {
    return port;
  }

  /** Has other names from now on. */
  void hosts(String text) throws IOException, InterruptedException {
    Files.writeString(hosts, text);
    Process hangUp =
        new ProcessBuilder(List.of("kill", "-HUP", Long.toString(process.pid()))).start();
    if (!hangUp.waitFor(10, TimeUnit.SECONDS) || hangUp.exitValue() != 0) {
      throw new IOException("kill -HUP failed");
    }
  }

  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill();
  }
}
