package io.headgate.envoy.bootstrap;

import io.headgate.core.rule.Identifier;
import io.headgate.envoy.stage.Stage;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of an Envoy that limits the calls of one service by Headgate's drop ratios, and
 * reports what is offered. It has one listener, and sends what passes to one address.
 *
 * <p>Instances are built by {@link #builder}; one that exists is right in itself.
 */
public final class EnvoyBootstrap {

  /** The smallest minor version of Envoy 1 that has what the bootstrap needs. */
  public static final int OLDEST_MINOR = 37;

  /**
   * The first minor version whose access logger has a scope for its statistics. With what older
   * ones have in its place, newer ones never forget a counter.
   */
  static final int FIRST_MINOR_WITH_SCOPES = 39;

  /** How often idle counters are forgotten; flushes must fit into it. */
  static final Duration EVICTION = Duration.ofSeconds(60);

  private static final Duration SHORTEST_FLUSH = Duration.ofMillis(50);
  private static final Duration LONGEST_FLUSH = Duration.ofSeconds(5);

  final String service;
  final String zone;
  final @Nullable String region;
  final String nodeId;
  final Direction direction;
  final CallerSource callers;
  final ProcedureNaming procedures;
  final Set<Stage> stages;
  final InetSocketAddress listen;
  final InetSocketAddress upstream;
  final InetSocketAddress admin;
  final InetSocketAddress headgate;
  final @Nullable TlsPaths listenTls;
  final @Nullable TlsPaths headgateTls;
  final Duration flush;
  final int envoyMinor;

  private EnvoyBootstrap(Builder builder) {
    service = builder.service;
    zone = builder.zone;
    region = builder.region;
    upstream = builder.upstream;
    nodeId = builder.nodeId;
    direction = builder.direction;
    callers = builder.callers;
    procedures = builder.procedures;
    stages = EnumSet.copyOf(builder.stages);
    listen = builder.listen;
    admin = builder.admin;
    headgate = builder.headgate;
    listenTls = builder.listenTls;
    headgateTls = builder.headgateTls;
    flush = builder.flush;
    envoyMinor = builder.envoyMinor;
  }

  /**
   * A bootstrap for calls of {@code service}.
   *
   * @param service the service that is called, as rules name it
   * @param zone where the Envoy is, as aggregators name it
   * @param upstream where calls go that are not dropped; the host may be a name
   * @throws IllegalArgumentException if a name is not an {@link Identifier}
   */
  public static Builder builder(String service, String zone, InetSocketAddress upstream) {
    return new Builder(service, zone, upstream);
  }

  /** The configuration as commented YAML. */
  public String toYaml() {
    return new BootstrapYaml(this).text();
  }

  /** What a bootstrap leaves open. Hosts are not looked up. */
  public static final class Builder {

    private final String service;
    private final String zone;
    private final InetSocketAddress upstream;
    private @Nullable String region;
    private String nodeId;
    private Direction direction = Direction.INGRESS;
    private CallerSource callers = CallerSource.header();
    private ProcedureNaming procedures = ProcedureNaming.GRPC;
    private Set<Stage> stages = EnumSet.allOf(Stage.class);
    private InetSocketAddress listen = loopback(10000);
    private InetSocketAddress admin = loopback(9901);
    private InetSocketAddress headgate = loopback(18000);
    private @Nullable TlsPaths listenTls;
    private @Nullable TlsPaths headgateTls;
    private Duration flush = Duration.ofSeconds(1);
    private int envoyMinor = FIRST_MINOR_WITH_SCOPES;

    private Builder(String service, String zone, InetSocketAddress upstream) {
      this.service = identifier("service", service);
      this.zone = identifier("zone", zone);
      this.upstream = upstream;
      this.nodeId = service + "-" + zone;
    }

    /** The region of the zone. Default: not said, and so that of the aggregator. */
    public Builder region(String region) {
      this.region = identifier("region", region);
      return this;
    }

    /**
     * The name of this proxy, unlike that of all others. Default: the service and the zone, which
     * is enough for one.
     */
    public Builder nodeId(String nodeId) {
      this.nodeId = identifier("node id", nodeId);
      return this;
    }

    /** On which side of a call the Envoy stands. Default: before the service. */
    public Builder direction(Direction direction) {
      this.direction = direction;
      return this;
    }

    /** From what the caller is known. Default: its header. */
    public Builder callers(CallerSource callers) {
      this.callers = callers;
      return this;
    }

    /** How procedures are named. Default: as those of gRPC. */
    public Builder procedures(ProcedureNaming procedures) {
      this.procedures = procedures;
      return this;
    }

    /**
     * The stages that the rules of the service need, and will need as long as this bootstrap is in
     * use; each costs its part. Default: all. Empty: nothing is ever dropped, only counted.
     */
    public Builder stages(Set<Stage> stages) {
      this.stages = stages.isEmpty() ? EnumSet.noneOf(Stage.class) : EnumSet.copyOf(stages);
      return this;
    }

    /** Where calls come in. Default: port 10000 of this machine alone. */
    public Builder listen(InetSocketAddress listen) {
      this.listen = listen;
      return this;
    }

    /** Where the admin pages are. Default: port 9901 of this machine alone. */
    public Builder admin(InetSocketAddress admin) {
      this.admin = admin;
      return this;
    }

    /** Where Headgate waits for Envoys. Default: port 18000 of this machine. */
    public Builder headgate(InetSocketAddress headgate) {
      this.headgate = headgate;
      return this;
    }

    /** TLS for those who call; needed where callers are known by certificate. Default: none. */
    public Builder listenTls(TlsPaths listenTls) {
      this.listenTls = listenTls;
      return this;
    }

    /** TLS to Headgate, which must be mutual. Default: none. */
    public Builder headgateTls(TlsPaths headgateTls) {
      this.headgateTls = headgateTls;
      return this;
    }

    /** How often counts are sent, 50 ms to 5 s, a whole number of times a minute. Default: 1 s. */
    public Builder flush(Duration flush) {
      this.flush = flush;
      return this;
    }

    /**
     * The oldest minor version of Envoy 1 that it is for, {@value #OLDEST_MINOR} and up. What is
     * for 37 and 38 is taken by newer ones as well, but these then never forget a caller or
     * procedure. What is for 39 and up, older ones refuse. Default: 39.
     */
    public Builder envoyMinor(int envoyMinor) {
      this.envoyMinor = envoyMinor;
      return this;
    }

    /**
     * The bootstrap.
     *
     * @throws IllegalArgumentException if the parts do not go together; says which
     */
    public EnvoyBootstrap build() {
      if (flush.compareTo(SHORTEST_FLUSH) < 0
          || flush.compareTo(LONGEST_FLUSH) > 0
          || EVICTION.toNanos() % flush.toNanos() != 0) {
        throw new IllegalArgumentException(
            "flush: "
                + flush.toMillis()
                + " ms (expected: 50ms to 5s, a whole number of times a minute)");
      }
      if (envoyMinor < OLDEST_MINOR) {
        throw new IllegalArgumentException(
            "Envoy: 1." + envoyMinor + " (expected: 1." + OLDEST_MINOR + " or newer)");
      }
      if (callers instanceof CallerSource.Spiffe
          && (listenTls == null || listenTls.authority() == null)) {
        throw new IllegalArgumentException(
            "callers by SPIFFE id: the listener does not ask for certificates (expected: a"
                + " certificate, a key and an authority for it)");
      }
      if (callers instanceof CallerSource.Spiffe && direction == Direction.EGRESS) {
        throw new IllegalArgumentException(
            "callers by SPIFFE id: an egress Envoy stands beside its caller (expected: static, or"
                + " header)");
      }
      if (callers instanceof CallerSource.Fixed caller && direction == Direction.EGRESS) {
        identifier("caller", caller.name());
      }
      if (headgateTls != null && headgateTls.authority() == null) {
        throw new IllegalArgumentException(
            "TLS to Headgate: no authority (expected: that which signs Headgate's certificate)");
      }
      return new EnvoyBootstrap(this);
    }

    private static InetSocketAddress loopback(int port) {
      return InetSocketAddress.createUnresolved("127.0.0.1", port);
    }

    private static String identifier(String what, String name) {
      if (!Identifier.isValid(name)) {
        throw new IllegalArgumentException(
            what + ": '" + name + "' (expected: " + Identifier.EXPECTED + ")");
      }
      return name;
    }
  }
}
