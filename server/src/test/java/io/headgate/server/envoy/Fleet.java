package io.headgate.server.envoy;

import io.headgate.envoy.bootstrap.EnvoyBootstrap;
import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.envoy.process.EnvoyProcess;
import io.headgate.server.run.ServerChild;
import io.headgate.testing.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** One service behind Envoys in two zones, each with a server; the first has the controller too. */
final class Fleet implements AutoCloseable {

  static final String SERVICE = "shop";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path directory;
  private final Path rules;
  private final HttpClient http = HttpClient.newHttpClient();
  private final SplittableRandom random = new SplittableRandom();
  private final Upstream upstream = new Upstream();
  private final Map<String, List<String>> arguments = new LinkedHashMap<>();
  private final Map<String, ServerChild> servers = new LinkedHashMap<>();
  private final Map<String, EnvoyProcess> envoys = new LinkedHashMap<>();
  private int starts;

  Fleet(Path directory, String ruleFile) throws Exception {
    this.directory = directory;
    rules = Files.createDirectory(directory.resolve("rules"));
    rules(ruleFile);
    int controller = FreePorts.next();
    arguments.put(
        "eu-1",
        List.of(
            "--role",
            "controller,aggregator,envoy",
            "--listen",
            "127.0.0.1:" + controller,
            "--envoy",
            "127.0.0.1:" + FreePorts.next(),
            "--rules",
            rules.toString(),
            "--expect-aggregators",
            "2"));
    arguments.put(
        "eu-2",
        List.of(
            "--role",
            "aggregator,envoy",
            "--listen",
            "127.0.0.1:0",
            "--envoy",
            "127.0.0.1:" + FreePorts.next(),
            "--controllers",
            "127.0.0.1:" + controller));
    launch("eu-1");
    launch("eu-2");
    await("eu-1");
    await("eu-2");
  }

  void rules(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("new.yaml"), text);
    Files.move(
        file,
        rules.resolve("shop.yaml"),
        java.nio.file.StandardCopyOption.ATOMIC_MOVE,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  /** Starts the server of a zone, which does not serve yet. */
  void launch(String zone) throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of("--region", "eu", "--zone", zone, "--id", zone, "--http", "127.0.0.1:0"));
    all.addAll(arguments.get(zone));
    servers.put(
        zone,
        ServerChild.start(
            directory.resolve(zone + "-" + starts++ + ".log"), "server", all, Map.of()));
  }

  void await(String zone) throws Exception {
    servers.get(zone).awaitReady();
  }

  ServerChild server(String zone) {
    return servers.get(zone);
  }

  private String envoyPort(String zone) {
    List<String> of = arguments.get(zone);
    return of.get(of.indexOf("--envoy") + 1);
  }

  /** Starts an Envoy, and replaces the one of the same name. */
  EnvoyProcess envoy(String id, String zone, Duration flush) {
    EnvoyProcess former = envoys.remove(id);
    if (former != null) {
      former.close();
    }
    String bootstrap =
        EnvoyBootstrap.builder(SERVICE, zone, upstream.address())
            .region("eu")
            .nodeId(id)
            .listen(new InetSocketAddress("127.0.0.1", 0))
            .admin(new InetSocketAddress("127.0.0.1", 0))
            .headgate(address(envoyPort(zone)))
            .flush(flush)
            .envoyMinor(40)
            .build()
            .toYaml();
    EnvoyProcess envoy =
        EnvoyProcess.start(EnvoyBinary.of(EnvoyBinary.NEWEST), bootstrap, 1).awaitLive(PATIENCE);
    envoys.put(id, envoy);
    return envoy;
  }

  Load load(EnvoyProcess envoy, String path, double perSecond, int connections) {
    return new Load(envoy.listener("ingress"), path, () -> "checkout", perSecond, connections);
  }

  private static InetSocketAddress address(String hostPort) {
    int colon = hostPort.lastIndexOf(':');
    return new InetSocketAddress(
        hostPort.substring(0, colon), Integer.parseInt(hostPort.substring(colon + 1)));
  }

  /** The sum of a metric over both zones, of the samples that have this text in their labels. */
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

  String get(ServerChild server, String page) {
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
