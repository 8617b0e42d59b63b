package io.headgate.agent;

import io.headgate.core.rule.ServiceRules;
import io.headgate.core.time.EventLoop;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Takes part in the loop for a process that judges its calls by other means, such as a proxy: it is
 * told what was counted there, and says which share each bucket is to drop. To the control plane it
 * is one agent among others.
 *
 * <p>Counts come in batches. Give those of a batch to the {@linkplain RelayBucket#count buckets},
 * then {@link #report} the time that the batch covers. Surge guards and samplers of rules have no
 * effect here, as they are matters of judging each call.
 *
 * <p>To be used on its event loop, but for what says otherwise.
 */
public final class RelayAgent {

  private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Hears what has changed, on the event loop. */
  public interface Listener {

    /** The drop ratios of buckets have changed. */
    void directivesChanged();

    /** Other rules of a service are in force, and gates to it have other buckets. */
    void rulesChanged(ServiceRules rules);
  }

  private final EventLoop loop;
  private final Gates gates;
  private final Session session;
  private final RelayReporter reporter;

  RelayAgent(EventLoop loop, Gates gates, Session session, RelayReporter reporter) {
    this.loop = loop;
    this.gates = gates;
    this.session = session;
    this.reporter = reporter;
  }

  /** Connects in the background. Once, on any thread. */
  public void start() {
    loop.execute(session::start);
  }

  /**
   * The gate that stands for calls of {@code procedure} of {@code service} by {@code caller}; an
   * {@linkplain Gate#isOverflow overflow gate} beyond the bound. Any thread.
   */
  public Gate gate(String service, String caller, String procedure) {
    return gates.gate(service, caller, procedure);
  }

  /** The buckets of a gate as they are now, in the order in which an agent would judge. */
  public List<RelayBucket> buckets(Gate gate) {
    return Arrays.asList((RelayBucket[]) gate.chain());
  }

  /** Whether rules have come, be they none; before that gates have no buckets to count in. */
  public boolean hasRules() {
    return session.configVersion() != 0;
  }

  /**
   * Asks what is in force for the buckets in which nothing has been counted yet. New streams do so
   * by themselves.
   */
  public void ask() {
    reporter.ask();
  }

  /** What was given to the buckets covers so much more time now, in nanoseconds, above 0. */
  public void report(long elapsedNanos) {
    reporter.report(elapsedNanos);
  }

  /**
   * Forgets the gates that are not needed, and the buckets that only these have, to make room for
   * others. Overflow gates stay.
   */
  public void retain(Predicate<Gate> needed) {
    gates.services().forEach(service -> service.retain(needed));
    session.reopenIfNumbersAreWasted();
  }

  /** How it is now. Any thread. */
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

  /** Sends what is left of the counts and takes leave of the aggregator. */
  public void close() {
    session.close(CLOSE_TIMEOUT_NANOS, () -> {});
  }
}
