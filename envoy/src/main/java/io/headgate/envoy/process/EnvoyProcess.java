package io.headgate.envoy.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * An Envoy that this program has started, and that ends with it, however it ends. Its bootstrap has
 * an admin address, and may leave the choice of ports to the system (port 0); this tells which they
 * are.
 */
public final class EnvoyProcess implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(10);
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final int LOG_LINES = 30;

  private final Path directory;
  private final Process process;
  private final Process watcher;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  private EnvoyProcess(Path directory, Process process, Process watcher) {
    this.directory = directory;
    this.process = process;
    this.watcher = watcher;
  }

  /**
   * Starts an Envoy, without hot restart, so that any number runs side by side; does not wait until
   * it serves.
   *
   * @param bootstrap YAML
   * @param concurrency worker threads, at least 1
   * @param options further options of its command line
   * @throws UncheckedIOException if it cannot be started
   */
  public static EnvoyProcess start(
      EnvoyBinary binary, String bootstrap, int concurrency, String... options) {
    if (concurrency < 1) {
      throw new IllegalArgumentException("concurrency: " + concurrency + " (expected: >= 1)");
    }
    try {
      Path directory = Files.createTempDirectory("headgate-envoy");
      Path config = Files.writeString(directory.resolve("bootstrap.yaml"), bootstrap);
      List<String> command = new ArrayList<>();
      command.add(binary.file().toString());
      command.addAll(List.of("-c", config.toString()));
      command.addAll(List.of("--admin-address-path", directory.resolve("admin").toString()));
      command.addAll(List.of("--concurrency", Integer.toString(concurrency)));
      command.add("--disable-hot-restart");
      command.addAll(List.of("--log-level", "warning"));
      command.addAll(List.of(options));
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("log").toFile())
              .start();
      process.getOutputStream().close();
      return new EnvoyProcess(directory, process, watch(process));
    } catch (IOException e) {
      throw new UncheckedIOException(binary.file() + ": cannot be started", e);
    }
  }

  /** Ends the Envoy when this program is gone, which is when the watcher's input ends. */
  private static Process watch(Process process) throws IOException {
    Process watcher =
        new ProcessBuilder(
                "sh", "-c", "cat >/dev/null; kill -KILL \"$1\"", "sh", "" + process.pid())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.onExit().thenRun(() -> end(watcher));
    return watcher;
  }

  /** The children first: they would end by themselves, but later. */
  private static void end(Process watcher) {
    List<ProcessHandle> children = watcher.descendants().toList();
    watcher.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
  }

  /**
   * Waits until the Envoy serves.
   *
   * @return this
   * @throws IllegalStateException if it does not within {@code atMost}, or ends; with the end of
   *     its log
   */
  public EnvoyProcess awaitLive(Duration atMost) {
    long start = System.nanoTime();
    while (!isLive()) {
      if (!process.isAlive()) {
        throw new IllegalStateException("envoy: ended with " + process.exitValue() + "\n" + log());
      }
      if (System.nanoTime() - start > atMost.toNanos()) {
        throw new IllegalStateException(
            "envoy: not live after " + atMost.toMillis() + " ms\n" + log());
      }
      pause();
    }
    return this;
  }

  /** Whether it serves requests. */
  public boolean isLive() {
    try {
      Path address = directory.resolve("admin");
      if (!process.isAlive() || !Files.exists(address) || Files.size(address) == 0) {
        return false;
      }
      return send(HttpRequest.newBuilder(admin("/ready")).GET()).statusCode() == 200;
    } catch (IOException | UncheckedIOException e) {
      return false; // not listening yet
    }
  }

  /** Whether the process runs; it may be suspended. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** The id of the process. */
  public long pid() {
    return process.pid();
  }

  /** The processor time that it has used. */
  public Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** The bytes of it that are in memory. */
  public long residentBytes() {
    Path status = Path.of("/proc", Long.toString(pid()), "statm");
    try {
      return 4096 * Long.parseLong(Files.readString(status).split(" ", -1)[1]);
    } catch (IOException e) {
      throw new UncheckedIOException(status + ": cannot be read (expected: Linux)", e);
    }
  }

  /** Where its admin pages are; it must be live. */
  public InetSocketAddress admin() {
    try {
      return address(Files.readString(directory.resolve("admin")).strip());
    } catch (IOException e) {
      throw new UncheckedIOException("envoy: has no admin address yet\n" + log(), e);
    }
  }

  /**
   * Where a listener is, whose port the system may have chosen.
   *
   * @param name its name in the bootstrap
   */
  public InetSocketAddress listener(String name) {
    return get("/listeners")
        .lines()
        .filter(line -> line.startsWith(name + "::"))
        .map(line -> address(line.substring(name.length() + 2)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "envoy: no listener " + name + " (found: " + get("/listeners").strip() + ")"));
  }

  /** The text of an admin page, such as {@code /stats?filter=headgate}, with its query encoded. */
  public String get(String page) {
    return body(page, HttpRequest.newBuilder(admin(page)).GET());
  }

  /** Posts to an admin page, such as {@code /runtime_modify?key=value}; its answer. */
  public String post(String page) {
    return body(
        page, HttpRequest.newBuilder(admin(page)).POST(HttpRequest.BodyPublishers.noBody()));
  }

  /** The value of a counter or gauge; 0 if there is none. */
  public long stat(String name) {
    String filter = URLEncoder.encode("^\\Q" + name + "\\E$", StandardCharsets.UTF_8);
    return get("/stats?filter=" + filter.replace("+", "%20"))
        .lines()
        .filter(line -> line.startsWith(name + ": "))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 2)))
        .findFirst()
        .orElse(0);
  }

  /** The end of what it has logged. */
  public String log() {
    try {
      List<String> lines = Files.readAllLines(directory.resolve("log"));
      return lines.stream()
          .skip(Math.max(0, lines.size() - LOG_LINES))
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      return "no log: " + e.getMessage();
    }
  }

  /** Stops the process as it is, connections and all, until {@link #resume}. */
  public void suspend() {
    signal("-STOP");
  }

  /** Lets a suspended process go on. */
  public void resume() {
    signal("-CONT");
  }

  /** Ends the process at once, as a crash would, and waits for its end. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Ends the process, gently at first, and removes its files. */
  @Override
  public void close() {
    process.destroy();
    if (!awaitEnd()) {
      kill();
    }
    end(watcher);
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(directory + ": cannot be removed", e);
    }
  }

  private boolean awaitEnd() {
    try {
      return process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void signal(String name) {
    try {
      int exitCode = new ProcessBuilder("kill", name, Long.toString(pid())).start().waitFor();
      if (exitCode != 0) {
        throw new IllegalStateException("kill " + name + " " + pid() + ": ended with " + exitCode);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("kill: cannot be started", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private URI admin(String page) {
    InetSocketAddress admin = admin();
    return URI.create("http://" + admin.getHostString() + ":" + admin.getPort() + page);
  }

  private String body(String page, HttpRequest.Builder request) {
    HttpResponse<String> response = send(request);
    if (response.statusCode() != 200) {
      throw new IllegalStateException(
          "envoy: " + page + ": " + response.statusCode() + " " + response.body());
    }
    return response.body();
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return http.send(
          request.timeout(Duration.ofSeconds(10)).build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException("envoy: its admin page does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("envoy: interrupted", e);
    }
  }

  private static InetSocketAddress address(String hostAndPort) {
    int colon = hostAndPort.lastIndexOf(':');
    return InetSocketAddress.createUnresolved(
        hostAndPort.substring(0, colon), Integer.parseInt(hostAndPort.substring(colon + 1)));
  }

  private static void pause() {
    try {
      Thread.sleep(POLL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("envoy: interrupted", e);
    }
  }
}
