package io.headgate.server.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code headgate} with exactly these arguments, as a child of the test. */
public final class ServerChild {

  private static final Pattern READY =
      Pattern.compile("ready: grpc (\\S+) http (\\S+)(?: envoy (\\S+))?");
  private static final long READY_TIMEOUT_SECONDS = 120;

  private final Process process;
  private final Path log;
  private String grpcAddress = "";
  private String httpAddress = "";
  private String envoyAddress = "";

  private ServerChild(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** {@code headgate server}. */
  static ServerChild start(Path log, String... arguments) throws IOException {
    return start(log, "server", List.of(arguments), Map.of());
  }

  /** A command of the program, with variables in its environment. */
  public static ServerChild start(
      Path log, String name, List<String> arguments, Map<String, String> variables)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "io.headgate.server.Headgate",
                name));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().putAll(variables);
    return new ServerChild(builder.start(), log);
  }

  /** Waits for the line that says where it serves. */
  public void awaitReady() throws Exception {
    BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    String line =
        CompletableFuture.supplyAsync(() -> out.lines().findFirst().orElse("ended: " + log()))
            .get(READY_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    Matcher ready = READY.matcher(line);
    if (!ready.matches()) {
      throw new IllegalStateException(line);
    }
    grpcAddress = ready.group(1);
    httpAddress = ready.group(2);
    envoyAddress = ready.group(3) == null ? "" : ready.group(3);
  }

  /** Where Envoy proxies connect to; empty without the role envoy. */
  public String envoyAddress() {
    return envoyAddress;
  }

  public Process process() {
    return process;
  }

  public String grpcAddress() {
    return grpcAddress;
  }

  public String httpAddress() {
    return httpAddress;
  }

  /** What it has written on standard error. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Stops the process as it is, connections and all, until {@link #resume}. */
  public void suspend() throws Exception {
    signal("-STOP");
  }

  /** Lets a suspended process go on. */
  public void resume() throws Exception {
    signal("-CONT");
  }

  private void signal(String name) throws Exception {
    new ProcessBuilder("kill", name, Long.toString(process.pid())).start().waitFor();
  }

  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }
}
