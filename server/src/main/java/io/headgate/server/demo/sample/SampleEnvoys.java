package io.headgate.server.demo.sample;

import io.headgate.core.rule.Location;
import io.headgate.envoy.bootstrap.EnvoyBootstrap;
import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.envoy.process.EnvoyProcess;
import io.headgate.server.run.HostPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Envoys in front of the sample service, one in each zone. */
public final class SampleEnvoys implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(30);
  private static final InetSocketAddress ANY_PORT = address("127.0.0.1:0");

  /** An Envoy. */
  public record Running(Location location, String address, EnvoyProcess process) {

    /** Its name. */
    public String name() {
      return "envoy-" + location.zone();
    }

    private boolean isConnected() {
      return process.stat("runtime.control_plane.connected_state") == 1;
    }
  }

  private final EnvoyBinary binary;
  private final List<Running> running = new ArrayList<>();

  private SampleEnvoys(EnvoyBinary binary) {
    this.binary = binary;
  }

  /**
   * Starts them and waits until they serve.
   *
   * @param headgate where the Envoys of a place find Headgate
   * @throws IOException if one does not start; the others are ended
   */
  public static SampleEnvoys start(
      EnvoyBinary binary, PaymentsServer server, Map<Location, String> headgate)
      throws IOException {
    SampleEnvoys envoys = new SampleEnvoys(binary);
    try {
      headgate.forEach(
          (location, address) -> {
            EnvoyProcess process =
                EnvoyProcess.start(binary, envoys.bootstrap(location, server, address), 1);
            envoys.running.add(new Running(location, "", process));
          });
      envoys.running.replaceAll(
          started ->
              new Running(
                  started.location,
                  "127.0.0.1:" + started.process.awaitLive(START).listener("ingress").getPort(),
                  started.process));
    } catch (IllegalStateException | UncheckedIOException e) {
      envoys.close();
      throw new IOException(e.getMessage(), e);
    }
    return envoys;
  }

  private String bootstrap(Location location, PaymentsServer server, String headgate) {
    return EnvoyBootstrap.builder(Payments.SERVICE, location.zone(), address(server.grpcAddress()))
        .region(location.region())
        .listen(ANY_PORT)
        .admin(ANY_PORT)
        .headgate(address(headgate))
        .envoyMinor(binary.minor())
        .build()
        .toYaml();
  }

  private static InetSocketAddress address(String text) {
    HostPort address = HostPort.parse(text);
    return InetSocketAddress.createUnresolved(address.host(), address.port());
  }

  /** All of them. */
  public List<Running> all() {
    return List.copyOf(running);
  }

  /** What they are. */
  public EnvoyBinary binary() {
    return binary;
  }

  /** The one in a region. */
  Running in(String region) {
    return running.stream()
        .filter(envoy -> envoy.location.region().equals(region))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no Envoy in region " + region));
  }

  /** Whether all are connected to Headgate. */
  boolean areConnected() {
    return running.stream().allMatch(Running::isConnected);
  }

  @Override
  public void close() {
    running.forEach(envoy -> envoy.process.close());
  }
}
