package io.headgate.benchmarks.loop;

import io.headgate.core.shed.Directive;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Report;
import java.util.random.RandomGenerator;

/**
 * Measures the time from a report to its directive, at an agent with a bucket that it alone has. It
 * moves that bucket's demand from half to five times the limit and back. What counts is the time
 * from the sending of the first report that shows the new demand to the arrival of the directive
 * that starts or stops dropping. As nobody else reports this bucket, that directive is the answer
 * to that report.
 *
 * <p>The time between two moves is long enough for the control plane to take the next one for news
 * again: a demand that jumps all the time is noise to it, over which it averages.
 *
 * <p>It sits between the agent and its link, on the agent's event loop.
 */
final class Probe implements Connector<AgentMessage, AgentDirection> {

  /** At a report each second, and some more while demand moves. */
  private static final int REPORTS_BETWEEN = 12;

  private static final double NANOS_PER_SECOND = 1e9;

  private enum State {
    /** Demand and directive agree; the next change comes after some reports. */
    RESTING,
    /** Demand has changed, and no report has said so. */
    CHANGED,
    /** A report has said so, and no directive has answered. */
    REPORTED
  }

  private final Connector<AgentMessage, AgentDirection> connector;
  private final EventLoop loop;
  private final Reactions reactions;

  private State state = State.RESTING;
  private int reportsToRest;
  private int bucket;
  private long reportedNanos;
  private volatile boolean moves;
  private volatile boolean high;

  /**
   * A probe that stays at high or low demand, by a toss, until {@link #begin}.
   *
   * @param reactions takes each time
   */
  Probe(
      Connector<AgentMessage, AgentDirection> connector,
      EventLoop loop,
      RandomGenerator random,
      Reactions reactions) {
    this.connector = connector;
    this.loop = loop;
    this.reactions = reactions;
    // Probes take turns: their moves are spread over the time between two of them.
    this.high = random.nextBoolean();
    this.reportsToRest = random.nextInt(1, REPORTS_BETWEEN + 1);
  }

  /** Moves demand from now on. Any thread. */
  void begin() {
    moves = true;
  }

  /** The demand that the bucket is to have now. Any thread. */
  double callsPerSecond() {
    return high ? Shape.PROBE_HIGH_PER_SECOND : Shape.PROBE_LOW_PER_SECOND;
  }

  @Override
  public Link<AgentMessage> connect(String address, LinkListener<AgentDirection> listener) {
    Link<AgentMessage> link =
        connector.connect(
            address,
            new LinkListener<>() {
              @Override
              public void onMessage(AgentDirection message) {
                if (message.hasDirectives()) {
                  arrived(message.getDirectives());
                }
                listener.onMessage(message);
              }

              @Override
              public void onReady() {
                listener.onReady();
              }

              @Override
              public void onClosed(String reason) {
                listener.onClosed(reason);
              }
            });
    return new Link<>() {
      @Override
      public void send(AgentMessage message) {
        if (message.hasReport()) {
          sending(message.getReport());
        }
        link.send(message);
      }

      @Override
      public boolean isReady() {
        return link.isReady();
      }

      @Override
      public void close() {
        link.close();
      }
    };
  }

  private void sending(Report report) {
    for (BucketDefinition definition : report.getDefineList()) {
      if (definition.getRule().equals(Shape.PROBE_RULE)) {
        bucket = definition.getId();
      }
    }
    switch (state) {
      case RESTING -> {
        if (moves && --reportsToRest <= 0) {
          // Just after a report, so that the next one is of the new demand alone.
          high = !high;
          state = State.CHANGED;
        }
      }
      case CHANGED -> {
        if (high == perSecond(report) > Shape.PROBE_TURN_PER_SECOND) {
          reportedNanos = loop.nanoTime();
          state = State.REPORTED;
        }
      }
      case REPORTED -> {}
    }
  }

  private double perSecond(Report report) {
    int row = report.getBucketList().indexOf(bucket);
    boolean counted = row >= 0 && row < report.getOfferedCount();
    return counted ? report.getOffered(row) * NANOS_PER_SECOND / report.getElapsedNanos() : 0;
  }

  private void arrived(Directives directives) {
    if (state != State.REPORTED) {
      return;
    }
    int row = directives.getBucketList().indexOf(bucket);
    if (row >= 0 && high == (directives.getLevel(row) != Directive.NO_LEVEL)) {
      reactions.record(high, loop.nanoTime() - reportedNanos);
      state = State.RESTING;
      reportsToRest = REPORTS_BETWEEN;
    }
  }
}
