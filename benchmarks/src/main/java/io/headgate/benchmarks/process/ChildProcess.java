package io.headgate.benchmarks.process;

import io.headgate.benchmarks.BenchmarkFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Java process of its own that serves gRPC. It says where on standard output, and ends when its
 * standard input does, so that it never outlives the benchmark.
 */
public final class ChildProcess implements AutoCloseable {

  private static final Pattern READY = Pattern.compile("ready: grpc (\\S+).*");
  private static final long READY_TIMEOUT_SECONDS = 60;
  private static final long END_TIMEOUT_SECONDS = 5;
  private static final String HEAP = "-Xmx1g";

  private final String name;
  private final Process process;
  private final Path log;
  private final String grpcAddress;

  private ChildProcess(String name, Process process, Path log) throws InterruptedException {
    this.name = name;
    this.process = process;
    this.log = log;
    this.grpcAddress = awaitReady();
  }

  /**
   * Starts a main class on this process's virtual machine, with its options and class path, and
   * waits until it serves.
   *
   * @param name for messages
   * @param directory where its log goes
   */
  public static ChildProcess start(
      String name, Path directory, Class<?> main, List<String> arguments)
      throws InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add(HEAP);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(arguments);
    Path log = directory.resolve(name + ".log");
    try {
      return new ChildProcess(
          name, new ProcessBuilder(command).redirectError(log.toFile()).start(), log);
    } catch (IOException e) {
      throw new BenchmarkFailure(name + " could not be started: " + e.getMessage(), e);
    }
  }

  /** Where it serves gRPC, as {@code host:port}. */
  public String grpcAddress() {
    return grpcAddress;
  }

  /** The processor time that it has used so far, as the operating system counts it. */
  public long cpuNanos() {
    return process
        .info()
        .totalCpuDuration()
        .orElseThrow(() -> new BenchmarkFailure(name + " has ended; its log said: " + logged()))
        .toNanos();
  }

  /** Its resident memory in bytes, or null where the operating system does not tell. */
  public @Nullable Long residentBytes() {
    Path status = Path.of("/proc/" + process.pid() + "/status");
    if (!Files.isReadable(status)) {
      return null;
    }
    try {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
      }
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private String awaitReady() throws InterruptedException {
    CompletableFuture<String> address = CompletableFuture.supplyAsync(this::readAddress);
    String found = "";
    try {
      found = address.get(READY_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      // The same as if it had ended without a word.
    } catch (ExecutionException e) {
      throw new BenchmarkFailure(name + ": " + e.getCause(), e);
    } finally {
      if (found.isEmpty()) {
        process.destroyForcibly();
      }
    }
    if (found.isEmpty()) {
      throw new BenchmarkFailure(
          name
              + " did not say 'ready: grpc HOST:PORT' in "
              + READY_TIMEOUT_SECONDS
              + " s; its log: "
              + logged());
    }
    return found;
  }

  /** The address on the line that says it; empty if the output ends without one. */
  private String readAddress() {
    try {
      BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        Matcher ready = READY.matcher(line);
        if (ready.matches()) {
          return ready.group(1);
        }
      }
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String logged() {
    try {
      return Files.readString(log).strip();
    } catch (IOException e) {
      return "(not readable: " + e.getMessage() + ")";
    }
  }
}
