package io.headgate.keyed.redis;

import io.headgate.fixtures.FreePorts;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A real redis-server, which must be installed: {@code ./check} sees to it. */
final class RedisServer implements AutoCloseable {

  private final int port;
  private final List<String> options;
  private final Path directory;
  private final RedisClient client;
  private Process process;
  private StatefulRedisConnection<String, String> connection;

  private RedisServer(int port, List<String> options) throws IOException {
    this.port = port;
    this.options = options;
    directory = Files.createTempDirectory("headgate-redis");
    client = RedisClient.create(RedisURI.create("redis://127.0.0.1:" + port));
  }

  static RedisServer start(String... options) {
    try {
      RedisServer server = new RedisServer(FreePorts.next(), List.of(options));
      server.run();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException("redis-server: cannot start (expected: on the path)", e);
    }
  }

  void run() throws IOException {
    List<String> command = new ArrayList<>(List.of("redis-server", "--port", "" + port));
    command.addAll(List.of("--bind", "127.0.0.1", "--dir", directory.toString(), "--save", ""));
    command.addAll(options);
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptions()
        .until(() -> "PONG".equals(redis().ping()));
  }

  RedisCommands<String, String> redis() {
    if (connection == null) {
      connection = client.connect();
    }
    return connection.sync();
  }

  String uri() {
    return "redis://127.0.0.1:" + port;
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  /** Ends the process at once, as a crash would. */
  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops the process as it is, connections and all, until {@link #thaw}. */
  void freeze() {
    signal("-STOP");
  }

  void thaw() {
    signal("-CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", name, Long.toString(pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    kill();
  }
}
