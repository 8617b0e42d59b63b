package io.headgate.simulator.run;

import io.headgate.core.rule.BucketKey;
import io.headgate.core.shed.Directive;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentHello;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Report;
import io.headgate.protocol.v1.Subscribe;
import io.headgate.simulator.traffic.PoissonTable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A host of a {@link LeanCrowd}. It sends what a production agent would send that counts the same,
 * and does what it is told, but has no calls to judge: at each report, and whenever a directive
 * changes, it draws how many were made since and how many of these the directive dropped. It sends
 * no urgent reports, and its aggregator must stay.
 */
final class LeanHost implements LinkListener<AgentDirection> {

  private final LeanCrowd crowd;
  private final int number;
  private final byte kind;
  private @Nullable Link<AgentMessage> link;
  private boolean hasRules;
  private boolean hasDefined;
  private boolean isDirected;
  private long configVersion;
  private long sequence;
  private long countedSinceNanos;
  private long expiresNanos;

  /** By slot; none where nothing was ever ordered. */
  private @Nullable Directed @Nullable [] directed;

  LeanHost(LeanCrowd crowd, int number, int kind) {
    this.crowd = crowd;
    this.number = number;
    this.kind = (byte) kind;
  }

  int number() {
    return number;
  }

  int kind() {
    return kind;
  }

  /** Connects, and asks for the rules of a service. */
  void start(
      Connector<AgentMessage, AgentDirection> connector,
      String address,
      AgentHello hello,
      String service) {
    countedSinceNanos = crowd.nowNanos();
    Link<AgentMessage> opened = connector.connect(address, this);
    link = opened;
    opened.send(AgentMessage.newBuilder().setHello(hello).build());
    opened.send(
        AgentMessage.newBuilder().setSubscribe(Subscribe.newBuilder().addService(service)).build());
  }

  /** Reports, unless what was counted covers less than this. */
  void report(long leastNanos) {
    long now = crowd.nowNanos();
    Link<AgentMessage> to = link;
    if (to == null || !to.isReady() || now - countedSinceNanos < leastNanos) {
      return;
    }
    Report.Builder report =
        Report.newBuilder()
            .setSequence(++sequence)
            .setElapsedNanos(now - countedSinceNanos)
            .setConfigVersion(configVersion);
    if (hasRules) {
      addCounts(report, now);
    }
    countedSinceNanos = now;
    to.send(AgentMessage.newBuilder().setReport(report).build());
  }

  /** Makes the calls since the last report, so that none is missing in what the crowd counts. */
  void finish() {
    addCounts(Report.newBuilder(), crowd.nowNanos());
  }

  private void addCounts(Report.Builder report, long now) {
    boolean anyDropped = false;
    int slot = 0;
    for (CrowdCalls calls : crowd.calls()) {
      int procedure = calls.of(number, 0);
      double steadyPart = crowd.steadyPart(countedSinceNanos, now);
      PoissonTable table = calls.table(procedure, kind, countedSinceNanos, now);
      for (int i = 0; i < calls.each(); i++, slot++) {
        if (!hasDefined) {
          report.addDefine(definition(slot, calls.key(procedure)));
        }
        Directed order = directed == null ? null : directed[slot];
        long offered;
        long dropped = 0;
        if (order != null) {
          settle(order, calls, procedure, now);
          offered = order.offered;
          dropped = order.dropped;
          order.offered = 0;
          order.dropped = 0;
        } else if (table != null && !calls.isWatched()) {
          offered = table.draw(crowd.random());
          calls.count(procedure, offered, 0, steadyPart);
        } else {
          offered = pass(calls, procedure, now);
        }
        if (offered > 0) {
          report.addBucket(slot + 1).addOffered(offered).addDropped(dropped);
          anyDropped |= dropped > 0;
        }
        procedure = calls.after(procedure);
      }
    }
    hasDefined = true;
    if (!anyDropped) {
      report.clearDropped();
    }
  }

  private static BucketDefinition definition(int slot, BucketKey key) {
    return BucketDefinition.newBuilder()
        .setId(slot + 1)
        .setService(key.service())
        .setRule(key.rule())
        .setCaller(key.caller())
        .setProcedure(key.procedure())
        .build();
  }

  /** Makes the calls since the last report, none of which is dropped. */
  private long pass(CrowdCalls calls, int procedure, long now) {
    long passed = 0;
    long from = countedSinceNanos;
    while (from < now) {
      long to = calls.changeBetween(from, now);
      long offered = crowd.draw(calls, procedure, kind, from, to);
      crowd.count(calls, procedure, from, to, offered, 0);
      passed += offered;
      from = to;
    }
    return passed;
  }

  /** Makes the calls up to now under the directive as it was. */
  private void settle(Directed order, CrowdCalls calls, int procedure, long now) {
    double ratio = 1;
    if (!order.directive.isNone()) {
      ratio =
          now < expiresNanos ? order.directive.acceptRatio(calls.defaultClass()) : crowd.lapsed();
    }
    long from = order.sinceNanos;
    while (from < now) {
      long to = calls.changeBetween(from, now);
      long offered = crowd.draw(calls, procedure, kind, from, to);
      long dropped = crowd.drop(offered, ratio);
      crowd.count(calls, procedure, from, to, offered, dropped);
      order.offered += offered;
      order.dropped += dropped;
      from = to;
    }
    order.sinceNanos = now;
  }

  @Override
  public void onMessage(AgentDirection message) {
    crowd.heard(message);
    if (message.hasRules()) {
      crowd.rules(message.getRules());
      configVersion = message.getRules().getConfigVersion();
      hasRules = true;
    } else if (message.hasDirectives()) {
      direct(message.getDirectives());
    } else if (message.hasSlowDown()) {
      throw new IllegalStateException("a lean host cannot slow down: " + message);
    }
  }

  private void direct(Directives message) {
    long now = crowd.nowNanos();
    int rows = message.getBucketCount();
    isDirected |= rows > 0;
    for (int row = 0; row < rows; row++) {
      Directive directive = new Directive(message.getLevel(row), message.getAccept(row));
      if (!directive.isNone() || directed != null) {
        order(message.getBucket(row) - 1, directive, now);
      }
    }
    if (isDirected && message.getTtlMillis() != 0) {
      expiresNanos =
          now + TimeUnit.MILLISECONDS.toNanos(Integer.toUnsignedLong(message.getTtlMillis()));
    }
  }

  private void order(int slot, Directive directive, long now) {
    @Nullable Directed[] orders = directed;
    if (orders == null) {
      orders = new Directed[crowd.slots()];
      directed = orders;
    }
    Directed order = orders[slot];
    if (order == null) {
      order = new Directed(countedSinceNanos);
      orders[slot] = order;
    }
    CrowdCalls calls = crowd.callsOf(slot);
    settle(order, calls, calls.of(number, crowd.slotIn(slot)), now);
    order.directive = directive;
    if (!directive.isNone()) {
      calls.directed(calls.of(number, crowd.slotIn(slot)));
    }
  }

  @Override
  public void onClosed(String reason) {
    throw new IllegalStateException("a lean host has lost its aggregator: " + reason);
  }

  /** A bucket that has, or had, a directive. */
  private static final class Directed {

    private Directive directive = Directive.NONE;
    private long sinceNanos;
    private long offered;
    private long dropped;

    Directed(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }
}
