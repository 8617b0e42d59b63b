package io.headgate.agent;

import static java.util.Objects.requireNonNull;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.headgate.core.rule.Identifier;
import io.headgate.core.rule.Location;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.GrpcConnector;
import io.headgate.protocol.link.ThreadEventLoop;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentHello;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.AggregationGrpc;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Builds a {@link HeadgateAgent}. A builder is good for one agent, and not thread-safe. */
public final class HeadgateAgentBuilder {

  private static final Duration MOST_INTERVAL = Duration.ofMinutes(1);
  private static final Duration LEAST_INTERVAL = Duration.ofMillis(10);
  private static final Duration MOST_RAMP = Duration.ofHours(1);
  private static final int MOST_CLIENT_ID = 128;
  private static final int MOST_PORT = 65_535;

  private @Nullable String service;
  private String region = "default";
  private String zone = "default";
  private List<String> aggregators = List.of();
  private @Nullable String clientId;
  private long epoch = System.currentTimeMillis();
  private Duration reportInterval = Duration.ofSeconds(1);
  private boolean urgentReports = true;
  private double stratifiedBelowPerSecond = 1_000;
  private Duration releaseRamp = Duration.ofSeconds(10);
  private Duration retryAfter = Duration.ofSeconds(1);
  private int maxGates = 10_000;
  private ChannelCredentials credentials = InsecureChannelCredentials.create();
  private @Nullable EventLoop eventLoop;
  private @Nullable Connector<AgentMessage, AgentDirection> connector;
  private RandomGenerator random = new SplittableRandom();
  private LongSupplier draws = () -> ThreadLocalRandom.current().nextLong();

  HeadgateAgentBuilder() {}

  /** The name of the service that this process is part of, as in the rules. Required. */
  public HeadgateAgentBuilder service(String service) {
    this.service = service;
    return this;
  }

  /** The region that this process runs in. Default {@code default}. */
  public HeadgateAgentBuilder region(String region) {
    this.region = region;
    return this;
  }

  /** The zone that this process runs in, unique over all regions. Default {@code default}. */
  public HeadgateAgentBuilder zone(String zone) {
    this.zone = zone;
    return this;
  }

  /**
   * The aggregators of the zone, each as {@code host:port}. Default none: the agent stands alone,
   * and everything passes.
   */
  public HeadgateAgentBuilder aggregators(List<String> aggregators) {
    this.aggregators = List.copyOf(aggregators);
    return this;
  }

  /** The aggregators of the zone, each as {@code host:port}. */
  public HeadgateAgentBuilder aggregators(String... aggregators) {
    return aggregators(List.of(aggregators));
  }

  /**
   * What the aggregators know this process by: 1 to 128 printable ASCII characters, unique among
   * all that run. Default: the service, the host's name and a random suffix.
   */
  public HeadgateAgentBuilder clientId(String clientId) {
    this.clientId = clientId;
    return this;
  }

  /**
   * Tells starts of the same client id apart; greater for each. Default: the wall clock's
   * milliseconds.
   */
  public HeadgateAgentBuilder epoch(long epoch) {
    this.epoch = epoch;
    return this;
  }

  /** How often to report, from 10 ms to 1 min. Default 1 s. */
  public HeadgateAgentBuilder reportInterval(Duration reportInterval) {
    this.reportInterval = reportInterval;
    return this;
  }

  /**
   * Whether to report at once, besides each interval, when demand moves by more than noise
   * explains. Without it a step of demand is enforced in two to three seconds instead of some
   * tenths of one. Default true.
   */
  public HeadgateAgentBuilder urgentReports(boolean urgentReports) {
    this.urgentReports = urgentReports;
    return this;
  }

  /**
   * Buckets with fewer requests a second in this process are sampled by stratified instead of
   * independent draws, so that what passes is the directive's share to within a request or two even
   * of a few dozen; 0: none. At higher rates the counter that such draws share would cost more than
   * it gives. Default 1,000.
   */
  public HeadgateAgentBuilder stratifiedBelow(double perSecond) {
    this.stratifiedBelowPerSecond = perSecond;
    return this;
  }

  /**
   * The time over which directives are let go that the control plane has not renewed in their time
   * to live, from 0 (at once) to 1 h. Default 10 s.
   */
  public HeadgateAgentBuilder releaseRamp(Duration releaseRamp) {
    this.releaseRamp = releaseRamp;
    return this;
  }

  /** How long a caller that was dropped is told to wait before it tries again. Default 1 s. */
  public HeadgateAgentBuilder retryAfter(Duration retryAfter) {
    this.retryAfter = retryAfter;
    return this;
  }

  /**
   * How many pairs of caller and procedure may have a gate of their own, over all services, 0 or
   * more. Default 10,000. It bounds the agent's memory, whatever callers and procedures requests
   * name.
   */
  public HeadgateAgentBuilder maxGates(int maxGates) {
    this.maxGates = maxGates;
    return this;
  }

  /** How to connect to aggregators. Default: in plain text. */
  public HeadgateAgentBuilder channelCredentials(ChannelCredentials credentials) {
    this.credentials = credentials;
    return this;
  }

  /**
   * The loop to live on, which stays the caller's. Default: a daemon thread of the agent's own.
   * Together with a {@link #connector} and a {@link #random} this has an agent run in virtual time.
   */
  public HeadgateAgentBuilder eventLoop(EventLoop eventLoop) {
    this.eventLoop = eventLoop;
    return this;
  }

  /** How to reach aggregators; calls its listeners on the event loop. Default: by gRPC. */
  public HeadgateAgentBuilder connector(Connector<AgentMessage, AgentDirection> connector) {
    this.connector = connector;
    return this;
  }

  /** The source of jitter, used on the event loop only. */
  public HeadgateAgentBuilder random(RandomGenerator random) {
    this.random = random;
    return this;
  }

  /**
   * The source of the draws that decide on requests: 64 random bits each, of which the uppermost is
   * not used. It is called on the threads that judge. Default: {@link ThreadLocalRandom}.
   */
  public HeadgateAgentBuilder draws(LongSupplier draws) {
    this.draws = draws;
    return this;
  }

  /**
   * Starts the agent. It connects in the background: neither this method nor any request waits.
   *
   * @throws IllegalArgumentException if a setting is missing or out of range
   */
  public HeadgateAgent build() {
    aggregators.forEach(HeadgateAgentBuilder::checkAddress);
    Settled settled = settle();
    ThreadEventLoop ownLoop =
        eventLoop == null ? ThreadEventLoop.start("headgate-agent-" + settled.service()) : null;
    EventLoop loop = ownLoop == null ? requireNonNull(eventLoop) : ownLoop;
    AgentChannels channels = new AgentChannels(credentials);
    Gates gates = new Gates(maxGates, settled.location(), retryAfter, draws);
    BucketNumbers numbers = new BucketNumbers();
    Session session =
        session(
            settled,
            loop,
            channels,
            gates,
            numbers,
            new Reporter(
                loop,
                random,
                gates,
                numbers,
                reportInterval.toNanos(),
                urgentReports,
                stratifiedBelowPerSecond),
            new GuardWatch(loop, gates, reportInterval.toNanos()),
            () -> {});
    loop.execute(session::start);
    return new HeadgateAgent(
        settled.service(), settled.location(), loop, ownLoop, channels, gates, session);
  }

  /**
   * Makes an agent for a process that judges its calls by other means; see {@link RelayAgent}. It
   * needs an {@link #eventLoop} and takes addresses in whatever form its {@link #connector} does.
   *
   * @param listener what it tells, on the event loop
   * @throws IllegalArgumentException if a setting is missing or out of range
   */
  public RelayAgent buildRelay(RelayAgent.Listener listener) {
    Settled settled = settle();
    EventLoop loop = requireNonNull(eventLoop, "eventLoop: missing (expected: the caller's)");
    AgentChannels channels = new AgentChannels(credentials);
    Gates gates = new Gates(maxGates, settled.location(), retryAfter, draws);
    BucketNumbers numbers = new BucketNumbers();
    RelayReporter reporter = new RelayReporter(gates, numbers, reportInterval.toNanos());
    Session session =
        session(
            settled, loop, channels, gates, numbers, reporter, null, listener::directivesChanged);
    gates.onNewRules(listener::rulesChanged);
    return new RelayAgent(loop, gates, session, reporter);
  }

  /** The settings, checked. */
  private record Settled(String service, Location location, String clientId) {}

  private Settled settle() {
    String service = checkName("service", this.service);
    Location location = new Location(checkName("region", region), checkName("zone", zone));
    checkDuration("reportInterval", reportInterval, LEAST_INTERVAL, MOST_INTERVAL);
    checkDuration("releaseRamp", releaseRamp, Duration.ZERO, MOST_RAMP);
    checkDuration("retryAfter", retryAfter, Duration.ZERO, MOST_RAMP);
    check(maxGates >= 0, "maxGates", maxGates, "0 or more");
    String clientId = this.clientId == null ? defaultClientId(service) : this.clientId;
    check(isClientId(clientId), "clientId", clientId, "1 to 128 printable ASCII characters");
    return new Settled(service, location, clientId);
  }

  private Session session(
      Settled settled,
      EventLoop loop,
      AgentChannels channels,
      Gates gates,
      BucketNumbers numbers,
      Reporting reporter,
      @Nullable GuardWatch guards,
      Runnable directivesChanged) {
    return new Session(
        loop,
        random,
        connector == null
            ? new GrpcConnector<>(AggregationGrpc.getConnectMethod(), loop, channels::open)
            : connector,
        Rendezvous.order(settled.clientId(), aggregators),
        AgentHello.newBuilder()
            .setClientId(settled.clientId())
            .setEpoch(epoch)
            .setService(settled.service())
            .setRegion(settled.location().region())
            .setZone(settled.location().zone())
            .setVersion(version())
            .build(),
        gates,
        numbers,
        reporter,
        guards,
        releaseRamp.toNanos(),
        directivesChanged);
  }

  private static String checkName(String setting, @Nullable String value) {
    check(value != null && Identifier.isValid(value), setting, value, Identifier.EXPECTED);
    return requireNonNull(value);
  }

  private static void checkAddress(String address) {
    int colon = address.lastIndexOf(':');
    boolean valid = colon > 0;
    try {
      int port = Integer.parseInt(address.substring(colon + 1));
      valid &= port >= 1 && port <= MOST_PORT;
    } catch (NumberFormatException e) {
      valid = false;
    }
    check(valid, "aggregators", address, "host:port, such as 10.0.0.7:7070");
  }

  private static void checkDuration(String setting, Duration value, Duration least, Duration most) {
    check(
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        setting,
        value,
        least + " to " + most);
  }

  private static boolean isClientId(String id) {
    return !id.isEmpty()
        && id.length() <= MOST_CLIENT_ID
        && id.chars().allMatch(HeadgateAgentBuilder::isPrintable);
  }

  private static boolean isPrintable(int character) {
    return character >= ' ' && character <= '~';
  }

  private static void check(
      boolean valid, String setting, @Nullable Object value, String expected) {
    if (!valid) {
      throw new IllegalArgumentException(setting + ": " + value + " (expected: " + expected + ")");
    }
  }

  private String defaultClientId(String service) {
    String suffix = "-" + Long.toHexString(random.nextLong());
    StringBuilder id = new StringBuilder();
    (service + "-" + hostName())
        .chars()
        .map(character -> isPrintable(character) ? character : '?')
        .limit(MOST_CLIENT_ID - suffix.length())
        .forEach(character -> id.append((char) character));
    return id.append(suffix).toString();
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown"; // The random suffix is what makes the id unique; the name is for people.
    }
  }

  private static String version() {
    String version = HeadgateAgent.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }
}
