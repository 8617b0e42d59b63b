package io.headgate.server.keyed;

import io.headgate.keyed.ring.RingSettings;
import io.headgate.keyed.ring.WhenUnreachable;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.keyed.ring.global.SyncSettings;
import io.headgate.keyed.ring.hash.Fnv;
import io.headgate.keyed.ring.peer.PeerSettings;
import io.headgate.server.run.HostPort;
import io.headgate.server.terminal.UserError;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a node of a cluster: the variables of Gubernator, and some of our own. See {@code
 * docs/configuration.md}.
 *
 * @param grpc where clients and peers connect to
 * @param http where JSON and the pages are
 * @param status where the health is told without a client certificate; null for nowhere
 * @param tls TLS on all ports and among nodes; null for none
 * @param discovery how the nodes find one another, and this node as they find it
 * @param ring how the node behaves
 * @param maxConnectionAge how long a connection lasts; 0 for ever
 * @param terminationDelay how long the node serves on, found by all, after it was told to end
 * @param drainTime how long it may take to give everything away
 * @param gubernatorMetrics whether metrics come under the names of Gubernator too
 * @param insecure whether ports that other machines can reach may be without mutual TLS
 * @param unknown variables that nobody knows
 */
public record KeyedSettings(
    HostPort grpc,
    HostPort http,
    @Nullable HostPort status,
    @Nullable PeerTls tls,
    DiscoverySettings discovery,
    RingSettings ring,
    Duration maxConnectionAge,
    Duration terminationDelay,
    Duration drainTime,
    boolean gubernatorMetrics,
    boolean insecure,
    Set<String> unknown) {

  private static final int MAX_SECONDS = 86_400;

  /** Variables that are for what this program does not have. */
  private static final List<String> WITHOUT_EFFECT =
      List.of(
          "GUBER_WORKER_COUNT",
          "GUBER_TRACING_LEVEL",
          "GUBER_METRIC_FLAGS",
          "GUBER_INSTANCE_ID",
          "GUBER_LOG_LEVEL",
          "GUBER_DEBUG");

  /**
   * Reads them.
   *
   * @throws UserError if a variable makes no sense; the message names it, what was found and what
   *     was expected
   */
  public static KeyedSettings read(Variables variables) {
    HostPort grpc = address(variables, "GUBER_GRPC_ADDRESS", "localhost:1051");
    HostPort http = address(variables, "GUBER_HTTP_ADDRESS", "localhost:1050");
    HostPort status =
        variables.has("GUBER_STATUS_HTTP_ADDRESS")
            ? address(variables, "GUBER_STATUS_HTTP_ADDRESS", "")
            : null;
    PeerTls tls = PeerTls.read(variables);
    if (status != null && tls == null) {
      throw variables.invalid(
          "GUBER_STATUS_HTTP_ADDRESS", "not set, as there is no TLS and GUBER_HTTP_ADDRESS does");
    }
    PeerInfo self =
        new PeerInfo(
            advertised(variables, grpc).toString(),
            http.toString(),
            variables.text("GUBER_DATA_CENTER"));
    DiscoverySettings discovery = DiscoverySettings.read(variables, self);
    RingSettings ring = ring(variables);
    Duration age = seconds(variables, "GUBER_GRPC_MAX_CONN_AGE_SEC");
    Duration delay = seconds(variables, "GUBER_GRACEFUL_TERMINATION_DELAY_SEC");
    Duration drain = variables.duration("HEADGATE_KEYED_DRAIN_TIME", Duration.ofSeconds(5));
    boolean metrics = variables.flag("HEADGATE_KEYED_GUBERNATOR_METRICS", false);
    boolean insecure = variables.flag("HEADGATE_INSECURE", false);
    return new KeyedSettings(
        grpc,
        http,
        status,
        tls,
        discovery,
        ring,
        age,
        delay,
        drain,
        metrics,
        insecure,
        unknown(variables, discovery));
  }

  private static Set<String> unknown(Variables variables, DiscoverySettings discovery) {
    Set<String> unknown = new TreeSet<>(variables.set());
    unknown.removeIf(name -> !name.startsWith("GUBER_") && !name.startsWith("HEADGATE_KEYED_"));
    unknown.removeAll(variables.read());
    unknown.removeAll(discovery.unused());
    WITHOUT_EFFECT.forEach(unknown::remove);
    return unknown;
  }

  private static RingSettings ring(Variables variables) {
    RingSettings defaults = RingSettings.DEFAULT;
    PeerSettings peers =
        new PeerSettings(
            variables.integer("GUBER_BATCH_LIMIT", 1_000, 1, PeerSettings.MAX_BATCH),
            variables.duration("GUBER_BATCH_WAIT", defaults.peers().batchWait()),
            variables.duration("GUBER_BATCH_TIMEOUT", defaults.peers().timeout()));
    SyncSettings sync =
        new SyncSettings(
            variables.duration("GUBER_GLOBAL_SYNC_WAIT", defaults.sync().interval()),
            variables.duration("GUBER_GLOBAL_TIMEOUT", defaults.sync().timeout()),
            variables.integer("GUBER_GLOBAL_BATCH_LIMIT", 1_000, 1, PeerSettings.MAX_BATCH));
    return new RingSettings(
        variables.integer("GUBER_CACHE_SIZE", defaults.cacheSize(), 1, Integer.MAX_VALUE),
        hash(variables),
        variables.integer("GUBER_REPLICATED_HASH_REPLICAS", defaults.replicas(), 1, 65_536),
        peers,
        !variables.flag("GUBER_DISABLE_BATCHING", false),
        sync,
        variables.flag("GUBER_FORCE_GLOBAL", false),
        unreachable(variables),
        variables.duration("HEADGATE_KEYED_HAND_OVER_TIME", defaults.handOverTime()));
  }

  /** Gubernator takes another hash as soon as its only kind of ring is named. */
  private static Fnv hash(Variables variables) {
    String picker = variables.text("GUBER_PEER_PICKER");
    String hash = variables.text("GUBER_PEER_PICKER_HASH");
    if (!picker.isEmpty() && !picker.equals("replicated-hash")) {
      throw variables.invalid("GUBER_PEER_PICKER", "replicated-hash");
    }
    return switch (hash) {
      case "" -> picker.isEmpty() ? Fnv.FNV1 : Fnv.FNV1A;
      case "fnv1" -> Fnv.FNV1;
      case "fnv1a" -> Fnv.FNV1A;
      default -> throw variables.invalid("GUBER_PEER_PICKER_HASH", "fnv1 or fnv1a");
    };
  }

  private static WhenUnreachable unreachable(Variables variables) {
    String policy = variables.text("HEADGATE_KEYED_WHEN_UNREACHABLE", "error");
    try {
      return WhenUnreachable.valueOf(policy.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw variables.invalid("HEADGATE_KEYED_WHEN_UNREACHABLE", "error or local");
    }
  }

  private static Duration seconds(Variables variables, String name) {
    return Duration.ofSeconds(variables.integer(name, 0, 0, MAX_SECONDS));
  }

  private static HostPort address(Variables variables, String name, String defaultValue) {
    try {
      return HostPort.parse(variables.text(name, defaultValue));
    } catch (IllegalArgumentException e) {
      throw variables.invalid(name, "host:port");
    }
  }

  /**
   * Where others find this node; an address that stands for all must become one of this machine.
   */
  private static HostPort advertised(Variables variables, HostPort grpc) {
    HostPort address = address(variables, "GUBER_ADVERTISE_ADDRESS", grpc.toString());
    if (!address.host().equals("0.0.0.0") && !address.host().equals("::")) {
      return address;
    }
    try {
      return new HostPort(InetAddress.getLocalHost().getHostAddress(), address.port());
    } catch (UnknownHostException e) {
      throw variables.invalid(
          "GUBER_ADVERTISE_ADDRESS", "the address by which other nodes reach this one");
    }
  }
}
