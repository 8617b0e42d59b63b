package io.headgate.server.envoy;

import io.headgate.envoy.bootstrap.EnvoyBootstrap;
import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.envoy.process.EnvoyProcess;
import io.headgate.fixtures.FreePorts;
import io.headgate.server.run.ServerChild;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** One service behind Envoys, and the servers that these and one another are connected to. */
final class Fleet implements AutoCloseable {

  static final String SERVICE = "shop";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path directory;
  private final Path rules;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final SplittableRandom random = new SplittableRandom();
  private final Upstream upstream = new Upstream();
  private final Map<String, List<String>> arguments = new LinkedHashMap<>();
  private final Map<String, ServerChild> servers = new LinkedHashMap<>();
  private final Map<String, EnvoyProcess> envoys = new LinkedHashMap<>();
  private int starts;

  /** A fleet without servers, with one file of rules. */
  Fleet(Path directory, String ruleFile) throws IOException {
    this.directory = directory;
    rules = Files.createDirectory(directory.resolve("rules"));
    rules(ruleFile);
  }

  String freeAddress() {
    return "127.0.0.1:" + FreePorts.next();
  }

  Path rules() {
    return rules;
  }

  void rules(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("new.yaml"), text);
    Files.move(
        file,
        rules.resolve("shop.yaml"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Starts a server, which does not serve yet. */
  void launch(String name, String... options) throws IOException {
    arguments.put(name, List.of(options));
    launchAgain(name);
  }

  /** Starts a server with the options that it had before. */
  void launchAgain(String name) throws IOException {
    List<String> all =
        new ArrayList<>(List.of("--region", "eu", "--id", name, "--http", "127.0.0.1:0"));
    all.addAll(arguments.get(name));
    Path log = directory.resolve(name + "-" + starts++ + ".log");
    servers.put(name, ServerChild.start(log, "server", all, Map.of()));
  }

  /** Waits until a server says where it serves. */
  void await(String name) throws Exception {
    servers.get(name).awaitReady();
  }

  /** Waits until a server says that it has all it needs. */
  void awaitReadiness(String name) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> get(servers.get(name), "/readyz").startsWith("ready"));
  }

  ServerChild server(String name) {
    return servers.get(name);
  }

  /** The bootstrap of an Envoy before the service, to be completed. */
  EnvoyBootstrap.Builder bootstrap(String id, String zone, String headgate) {
    int colon = headgate.lastIndexOf(':');
    return EnvoyBootstrap.builder(SERVICE, zone, upstream.address())
        .region("eu")
        .nodeId(id)
        .listen(new InetSocketAddress("127.0.0.1", 0))
        .admin(new InetSocketAddress("127.0.0.1", 0))
        .headgate(
            new InetSocketAddress(
                headgate.substring(0, colon), Integer.parseInt(headgate.substring(colon + 1))));
  }

  /**
   * Starts an Envoy, and replaces the one of the same name. It shows how many requests it has made
   * to Headgate, beside what the bootstrap has it show.
   *
   * @param edit changes the configuration that is printed
   */
  EnvoyProcess envoy(
      String id, String version, EnvoyBootstrap bootstrap, UnaryOperator<String> edit) {
    EnvoyProcess former = envoys.remove(id);
    if (former != null) {
      former.close();
    }
    String yaml =
        edit.apply(bootstrap.toYaml())
            .replace(
                "        - prefix: \"runtime.\"\n",
                "        - prefix: \"runtime.\"\n"
                    + "        - exact: \"cluster.headgate.upstream_rq_total\"\n");
    EnvoyProcess envoy = EnvoyProcess.start(EnvoyBinary.of(version), yaml, 1).awaitLive(PATIENCE);
    envoys.put(id, envoy);
    return envoy;
  }

  /** The sum of a metric over all servers, of the samples that have this text in their labels. */
  double metric(String name, String labels) {
    double sum = 0;
    for (ServerChild server : servers.values()) {
      sum +=
          get(server, "/metrics")
              .lines()
              .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
              .filter(line -> line.contains(labels))
              .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
              .sum();
    }
    return sum;
  }

  /** What the aggregators have counted of a rule. */
  double counted(String rule, String what) {
    return metric("headgate_rule_" + what + "_total", "rule=\"" + rule + "\"");
  }

  private String get(ServerChild server, String page) {
    try {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://" + server.httpAddress() + page)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws Exception {
    envoys.values().forEach(EnvoyProcess::close);
    for (ServerChild server : servers.values()) {
      server.kill();
    }
    upstream.close();
  }
}
