package io.headgate.agent;

import io.headgate.core.rule.Location;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.ThreadEventLoop;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Limits the calls that this process makes or serves, together with all other processes of the
 * fleet.
 *
 * <pre>{@code
 * HeadgateAgent agent = HeadgateAgent.builder()
 *     .service("payments").region("eu-west").zone("eu-west-1")
 *     .aggregators("10.0.0.7:7070", "10.0.0.8:7070")
 *     .build();
 * Gate gate = agent.gate("checkout", "payments.v1.Payments/Charge"); // once
 * if (!gate.judge().admitted()) { ... }                              // for each request
 * }</pre>
 *
 * <p>Requests are judged by what the agent knows; none ever waits for the control plane. Without
 * rules or directives, and some time after the control plane has fallen silent, everything passes.
 *
 * <p>The agent is thread-safe.
 */
public final class HeadgateAgent implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(HeadgateAgent.class.getName());
  private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final String service;
  private final Location location;
  private final EventLoop loop;
  private final @Nullable ThreadEventLoop ownLoop;
  private final AgentChannels channels;
  private final Gates gates;
  private final Session session;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Takes ownership of {@code ownLoop}, which is null where the loop belongs to somebody else. */
  HeadgateAgent(
      String service,
      Location location,
      EventLoop loop,
      @Nullable ThreadEventLoop ownLoop,
      AgentChannels channels,
      Gates gates,
      Session session) {
    this.service = service;
    this.location = location;
    this.loop = loop;
    this.ownLoop = ownLoop;
    this.channels = channels;
    this.gates = gates;
    this.session = session;
  }

  /** A builder with the defaults. */
  public static HeadgateAgentBuilder builder() {
    return new HeadgateAgentBuilder();
  }

  /**
   * The gate for calls of this agent's own service.
   *
   * @param caller who calls
   * @param procedure what is called, such as {@code payments.v1.Payments/Charge}
   */
  public Gate gate(String caller, String procedure) {
    return gates.gate(service, caller, procedure);
  }

  /**
   * The gate for calls of some service. The first gate to a service has the agent ask for its
   * rules.
   *
   * <p>There is one gate for each pair of caller and procedure, up to the {@linkplain
   * HeadgateAgentBuilder#maxGates bound}; the pairs beyond share {@linkplain Gate#isOverflow
   * overflow gates}.
   *
   * @param service what is called, as it is named in the rules
   * @param caller who calls
   * @param procedure what is called, such as {@code payments.v1.Payments/Charge}
   */
  public Gate gate(String service, String caller, String procedure) {
    return gates.gate(service, caller, procedure);
  }

  /** The name of the service that this process is part of. */
  public String service() {
    return service;
  }

  /** Where this process runs. */
  public Location location() {
    return location;
  }

  /** How the agent is now. */
  public AgentStatus status() {
    return new AgentStatus(
        session.aggregator(),
        session.configVersion(),
        gates.gateCount(),
        gates.overflowGateCount(),
        gates.overflowLookups(),
        gates.bucketCount(),
        session.refusedMessages());
  }

  /** What each bucket has counted since it was made, in no order. */
  public List<BucketCounts> bucketCounts() {
    return gates.services().stream()
        .flatMap(service -> service.buckets().stream())
        .map(Bucket::snapshot)
        .toList();
  }

  /**
   * Sends the last counts and takes leave of the aggregator, for two seconds at most. Gates can be
   * judged by afterwards: they admit everything, and what they count is reported no more.
   */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    if (loop.isCurrent()) {
      session.close(CLOSE_TIMEOUT_NANOS, () -> {});
      return;
    }
    long deadline = System.nanoTime() + CLOSE_TIMEOUT_NANOS;
    CountDownLatch done = new CountDownLatch(1);
    loop.execute(() -> session.close(CLOSE_TIMEOUT_NANOS, done::countDown));
    try {
      if (!done.await(CLOSE_TIMEOUT_NANOS, TimeUnit.NANOSECONDS)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "agent of {0}: no aggregator took the last counts",
            service);
      }
      channels.awaitTermination(Math.max(0, deadline - System.nanoTime()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (ownLoop != null) {
      ownLoop.close();
    }
  }
}
