package io.headgate.keyed.ring.discovery.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.headgate.fixtures.FreePorts;
import io.headgate.fixtures.TestPem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A real etcd on the loopback address; it must be installed: {@code ./check} sees to it. */
final class EtcdServer implements AutoCloseable {

  private final Path directory;
  private final String scheme;
  private final List<String> options;
  private final int port = FreePorts.next();
  private Process process;
  private Client client;

  private EtcdServer(Path directory, String scheme, List<String> options) {
    this.directory = directory;
    this.scheme = scheme;
    this.options = options;
  }

  static EtcdServer start(Path directory) throws IOException {
    EtcdServer server = new EtcdServer(directory, "http", List.of());
    server.run();
    return server;
  }

  /** Serves by TLS alone; clients must show the certificate too. */
  static EtcdServer startWithTls(Path directory, TestPem certificate) throws IOException {
    EtcdServer server =
        new EtcdServer(
            directory,
            "https",
            List.of(
                "--cert-file=" + certificate.certificate(),
                "--key-file=" + certificate.key(),
                "--client-cert-auth",
                "--trusted-ca-file=" + certificate.certificate()));
    server.run();
    return server;
  }

  void run() throws IOException {
    String peerUrl = "http://127.0.0.1:" + FreePorts.next();
    String url = scheme + "://" + endpoint();
    List<String> command =
        new ArrayList<>(
            List.of(
                "etcd",
                "--name=test",
                "--data-dir=" + directory.resolve("data"),
                "--listen-client-urls=" + url,
                "--advertise-client-urls=" + url,
                "--listen-peer-urls=" + peerUrl,
                "--initial-advertise-peer-urls=" + peerUrl,
                "--initial-cluster=test=" + peerUrl));
    command.addAll(options);
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log().toFile())
            .start();
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(this::isReady);
  }

  /**
   * Whether it is a cluster with a leader. It accepts connections before; but one that is killed
   * between, when it first starts, never has a leader again.
   */
  private boolean isReady() throws IOException {
    return Files.readString(log(), UTF_8).contains("ready to serve client requests");
  }

  private Path log() {
    return directory.resolve("log");
  }

  String endpoint() {
    return "127.0.0.1:" + port;
  }

  Client client() {
    if (client == null) {
      client = Client.builder().endpoints("http://" + endpoint()).build();
    }
    return client;
  }

  List<KeyValue> entries(String prefix) {
    return await(
            client().getKVClient().get(bytes(prefix), GetOption.builder().isPrefix(true).build()))
        .getKvs();
  }

  void put(String key, String value) {
    await(client().getKVClient().put(bytes(key), bytes(value)));
  }

  void delete(String key) {
    await(client().getKVClient().delete(bytes(key)));
  }

  /** An entry that vanishes some seconds later, as if its node had died. */
  void putForSeconds(long seconds, String key, String value) {
    long lease = await(client().getLeaseClient().grant(seconds)).getID();
    await(
        client()
            .getKVClient()
            .put(bytes(key), bytes(value), PutOption.builder().withLeaseId(lease).build()));
  }

  void revoke(long lease) {
    await(client().getLeaseClient().revoke(lease));
  }

  static ByteSequence bytes(String text) {
    return ByteSequence.from(text, UTF_8);
  }

  static <T> T await(CompletableFuture<T> future) {
    return future.orTimeout(20, TimeUnit.SECONDS).join();
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

  /** What it knew is gone; call it between {@link #kill()} and {@link #run()}. */
  void forget() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.delete(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
    kill();
  }
}
