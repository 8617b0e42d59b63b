package io.headgate.server.demo.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A {@code headgate server} that runs as a child of this process, with the same Java and class
 * path. It ends with this process, however this one ends. Its log goes to a file.
 */
public final class ServerProcess {

  private static final String PROGRAM = "io.headgate.server.Headgate";
  private static final String READY = "ready: ";
  private static final long READY_TIMEOUT_SECONDS = 180;
  private static final long STOP_TIMEOUT_SECONDS = 15;
  private static final int LOG_TAIL_LINES = 10;

  /** A tier is a small program: quick to start matters more than the last of its speed. */
  private static final List<String> JVM_OPTIONS =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx256m");

  private static final List<String> INHERITED_OPTIONS =
      List.of("--", "-XX:SharedArchiveFile=", "-Xlog:");

  private final String name;
  private final List<String> arguments;
  private final int grpcPort;
  private final int httpPort;
  private final Path log;
  private Process process;

  private ServerProcess(
      String name, List<String> arguments, int grpcPort, int httpPort, Path log, Process process) {
    this.name = name;
    this.arguments = arguments;
    this.grpcPort = grpcPort;
    this.httpPort = httpPort;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts one; it is not ready yet.
   *
   * @param name a name for people, also that of its log file
   * @param arguments of {@code headgate server}, without ports
   * @param logs the directory of log files
   * @throws IOException if Java cannot be started
   */
  static ServerProcess launch(
      String name, List<String> arguments, int grpcPort, int httpPort, Path logs)
      throws IOException {
    Path log = logs.resolve(name + ".log");
    Process process = launch(arguments, grpcPort, httpPort, log);
    return new ServerProcess(name, List.copyOf(arguments), grpcPort, httpPort, log, process);
  }

  private static Process launch(List<String> arguments, int grpcPort, int httpPort, Path log)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM_OPTIONS);
    // What this Java needs to be told about modules and native code, its children need too; and an
    // archive of classes speeds up their start as it did this one's.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> INHERITED_OPTIONS.stream().anyMatch(option::startsWith))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path", "."), PROGRAM, "server"));
    command.addAll(arguments);
    command.addAll(List.of("--listen", "127.0.0.1:" + grpcPort, "--http", "127.0.0.1:" + httpPort));
    command.add("--exit-with-parent");
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  /**
   * Waits until it serves.
   *
   * @throws IOException if it ends before, or takes too long; with the end of its log
   */
  public void awaitReady() throws IOException, InterruptedException {
    CompletableFuture<String> line = CompletableFuture.supplyAsync(this::firstLine);
    String found;
    try {
      found = line.get(READY_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      kill();
      throw failure("is not ready after " + READY_TIMEOUT_SECONDS + " s");
    } catch (ExecutionException e) {
      throw failure("cannot be heard: " + e.getCause());
    }
    if (!found.startsWith(READY)) {
      kill();
      throw failure(
          found.isEmpty()
              ? "ended before it was ready"
              : "said '" + found + "' for '" + READY + "'");
    }
  }

  private String firstLine() {
    try {
      // Nothing follows on this stream; closing it would end the process at its next line.
      BufferedReader out =
          new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
      String line = out.readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private IOException failure(String what) throws IOException {
    List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
    List<String> tail = lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size());
    return new IOException(
        name
            + " "
            + what
            + "; the end of "
            + log
            + ":"
            + System.lineSeparator()
            + String.join(System.lineSeparator(), tail));
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Its process id; another one after a restart. */
  public long pid() {
    return process.pid();
  }

  /** Where agents and other tiers connect to. */
  public String grpcAddress() {
    return "127.0.0.1:" + grpcPort;
  }

  /** Where its pages are. */
  public String httpAddress() {
    return "127.0.0.1:" + httpPort;
  }

  /** Its log file. */
  public File log() {
    return log.toFile();
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it as a failure would: at once, without a chance to say goodbye. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Asks it to end, and does not wait. */
  void askToStop() {
    process.destroy();
  }

  /** Waits until it has ended after {@link #askToStop()}; kills it if it takes too long. */
  void awaitStop() throws InterruptedException {
    if (!process.waitFor(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      kill();
    }
  }

  /** Starts it again after its end, on the same ports; it is not ready yet. */
  public void relaunch() throws IOException {
    process = launch(arguments, grpcPort, httpPort, log);
  }
}
