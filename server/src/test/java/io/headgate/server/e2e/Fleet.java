package io.headgate.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.server.demo.cluster.LocalCluster;
import io.headgate.server.demo.cluster.ServerProcess;
import io.headgate.server.demo.cluster.Shape;
import io.headgate.server.demo.cluster.Shape.Region;
import io.headgate.server.demo.cluster.Shape.Zone;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

/**
 * A control plane of real processes, for all tests: two regions of two zones, with two controllers
 * in {@code eu-west} and two aggregators in {@code eu-west-1}. Each test has a service of its own.
 */
final class Fleet implements AutoCloseable {

  private static final Shape SHAPE =
      new Shape(
          List.of(
              new Region("eu-west", 2, List.of(new Zone("eu-west-1", 2), new Zone("eu-west-2", 1))),
              new Region(
                  "us-east", 1, List.of(new Zone("us-east-1", 1), new Zone("us-east-2", 1)))));

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ObjectMapper json = new ObjectMapper();
  private final Path rules;
  private final LocalCluster cluster;

  private Fleet(Path rules, LocalCluster cluster) {
    this.rules = rules;
    this.cluster = cluster;
  }

  /** Starts all processes, with rules and logs below {@code directory}. */
  static Fleet start(Path directory) throws IOException, InterruptedException {
    Path rules = Files.createDirectory(directory.resolve("rules"));
    return new Fleet(rules, LocalCluster.start(SHAPE, rules, directory.resolve("logs")));
  }

  LocalCluster cluster() {
    return cluster;
  }

  /** Puts a service's rules into its file, as an editor would. */
  void writeRules(String service, String yaml) throws IOException {
    Path edited = Files.writeString(rules.resolve(service + ".edited"), yaml);
    Files.move(
        edited,
        rules.resolve(service + ".yaml"),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
  }

  /** Ends processes at once, without a goodbye. */
  void kill(List<ServerProcess> processes) throws InterruptedException {
    for (ServerProcess process : processes) {
      process.kill();
    }
  }

  /** Starts all processes that do not run. */
  void restartAllThatAreDown() throws IOException, InterruptedException {
    List<ServerProcess> down = cluster.processes().filter(process -> !process.isAlive()).toList();
    for (ServerProcess process : down) {
      process.relaunch();
    }
    for (ServerProcess process : down) {
      process.awaitReady();
    }
  }

  /** Waits until all tiers are connected, and all controllers judge and have the same rules. */
  void awaitSettled() {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> {
              for (ServerProcess controller : cluster.controllers()) {
                JsonNode status = status(controller).get("controller");
                assertThat(status.get("learning").booleanValue()).isFalse();
                assertThat(status.get("aggregators")).allMatch(Fleet::isConnected);
                assertThat(status.get("peers")).allMatch(Fleet::isConnected);
              }
            });
  }

  private static boolean isConnected(JsonNode link) {
    return link.get("connected").booleanValue();
  }

  /** What {@code /status} says. */
  JsonNode status(ServerProcess process) throws IOException, InterruptedException {
    return json.readTree(get(process, "/status"));
  }

  /**
   * The sum of a metric over its tags, where these include {@code tag}; 0 where there is none.
   *
   * @param tag such as {@code reason="negative"}; empty for all
   */
  double metric(ServerProcess process, String name, String tag)
      throws IOException, InterruptedException {
    return get(process, "/metrics")
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> line.contains(tag))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private String get(ServerProcess process, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + process.httpAddress() + path))
            .timeout(Duration.ofSeconds(10))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
