package io.headgate.control.aggregator;

import io.headgate.core.rule.RuleSet;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentHello;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Report;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All streams of agents, and what they have in common. */
final class AgentStreams implements Acceptor<AgentDirection, AgentMessage> {

  private static final Logger logger = LoggerFactory.getLogger(Aggregator.class);
  private static final long HELLO_PATIENCE_NANOS = 10_000_000_000L;
  private static final long LOG_EVERY_NANOS = 10_000_000_000L;

  private final AggregatorSettings settings;
  private final EventLoop loop;
  private final AggregatorMetrics metrics;
  private final BucketTable table;
  private final RulesInForce rules;
  private final DirectivesInForce directives;
  private final Overload overload;
  private final ZoneWatch watch;
  private final Runnable onUrgent;

  private final Clients clients;
  private final ReportCheck check;
  private final HelloCheck helloCheck;
  private final LogThrottle refusalLog = new LogThrottle(LOG_EVERY_NANOS);
  private final Set<AgentSession> sessions = new LinkedHashSet<>();
  private final Map<List<String>, AgentDirection> ruleMessages = new HashMap<>();
  private boolean stopped;

  AgentStreams(
      AggregatorSettings settings,
      EventLoop loop,
      AggregatorMetrics metrics,
      BucketTable table,
      RulesInForce rules,
      DirectivesInForce directives,
      Overload overload,
      ZoneSums sums,
      ZoneWatch watch,
      Runnable onUrgent) {
    this.settings = settings;
    this.loop = loop;
    this.metrics = metrics;
    this.table = table;
    this.rules = rules;
    this.directives = directives;
    this.overload = overload;
    this.watch = watch;
    this.onUrgent = onUrgent;
    clients = new Clients(settings, sums);
    check = new ReportCheck(settings, table);
    helloCheck = new HelloCheck(settings);
  }

  @Override
  public LinkListener<AgentMessage> accept(Peer peer, Link<AgentDirection> link) {
    // The one place where load is turned away: a stream more than the bound is not taken.
    if (stopped || sessions.size() >= settings.maxClients()) {
      String found = stopped ? "the aggregator stops" : sessions.size() + " streams are open";
      refused(stopped ? "stopping" : "too_many_clients", peer, found);
      link.close();
      return new Deaf();
    }
    AgentSession session = new AgentSession(this, peer, link, loop.nanoTime());
    sessions.add(session);
    return session;
  }

  /** How many streams are open. */
  int size() {
    return sessions.size();
  }

  /** Sends all agents the rules of the services that they asked for. */
  void rulesChanged() {
    ruleMessages.clear();
    sessions.forEach(AgentSession::sendRules);
    if (clients.asking() > 0) {
      onUrgent.run(); // what was asked about had no rule before
    }
  }

  /** Sends all agents the directives that have changed. */
  void directivesChanged() {
    sessions.forEach(session -> session.feed().sendChanged());
  }

  /** Tells all agents that this aggregator is there, and what is left of the time to live. */
  void heartbeat() {
    AgentDirection heartbeat = stamped(Directives.newBuilder());
    for (AgentSession session : sessions) {
      session.sendHeartbeat(heartbeat);
    }
  }

  /** Tells the agents that do not know yet how often they are to report. */
  void slowDown() {
    sessions.forEach(AgentSession::sendSlowDown);
  }

  /** Takes the reports that came while there was too much to do: the newest of each client. */
  void takeWaiting() {
    if (overload.isOverloaded()) {
      List.copyOf(sessions).forEach(AgentSession::takeWaiting);
    }
  }

  /** Closes the streams that never said who they are, and forgets what can be made again. */
  void tidy(long nowNanos) {
    ruleMessages.clear();
    List<AgentSession> mute = new ArrayList<>();
    for (AgentSession session : sessions) {
      if (session.isMute(nowNanos, HELLO_PATIENCE_NANOS)) {
        mute.add(session);
      }
    }
    for (AgentSession session : mute) {
      metrics.refusedClient("bad_hello");
      session.close();
    }
  }

  /** Ends all streams, and takes no more. */
  void stop() {
    stopped = true;
    List.copyOf(sessions).forEach(AgentSession::close);
  }

  Clients clients() {
    return clients;
  }

  AggregatorSettings settings() {
    return settings;
  }

  AggregatorMetrics metrics() {
    return metrics;
  }

  BucketTable table() {
    return table;
  }

  RulesInForce rules() {
    return rules;
  }

  DirectivesInForce directives() {
    return directives;
  }

  ReportCheck check() {
    return check;
  }

  Overload overload() {
    return overload;
  }

  HelloCheck.@Nullable Objection objection(AgentHello hello, Acceptor.Peer peer) {
    return helloCheck.check(hello, peer);
  }

  /** The rules in force of some services; agents that ask for the same share one message. */
  AgentDirection rulesOf(Collection<String> services) {
    return ruleMessages.computeIfAbsent(
        List.copyOf(services),
        names -> {
          RuleSet inForce = rules.get();
          return AgentDirection.newBuilder().setRules(RuleMessages.some(inForce, names)).build();
        });
  }

  /** The message with the version of the rules and the time to live as it is now. */
  AgentDirection stamped(Directives.Builder message) {
    message
        .setConfigVersion(rules.get().version())
        .setTtlMillis(directives.ttlMillis(loop.nanoTime()));
    return AgentDirection.newBuilder().setDirectives(message).build();
  }

  /**
   * Takes a checked report: counts go to the rules' tallies, rates to the client's latch.
   *
   * @param bucketOfRow the bucket of each row; rows of unknown buckets are struck out of it
   */
  void take(Client client, Report report, int[] bucketOfRow) {
    int unknown = 0;
    int noRoom = 0;
    boolean hasOffered = report.getOfferedCount() > 0;
    boolean hasDropped = report.getDroppedCount() > 0;
    boolean hasWouldDrop = report.getWouldDropCount() > 0;
    for (int row = 0; row < report.getBucketCount(); row++) {
      int bucket = bucketOfRow[row];
      RuleTally tally = bucket == BucketTable.NONE ? null : table.tally(bucket);
      if (tally != null) {
        if (hasOffered) {
          tally.add(
              report.getOffered(row),
              hasDropped ? report.getDropped(row) : 0,
              hasWouldDrop ? report.getWouldDrop(row) : 0);
        }
      } else if (bucket == BucketTable.NONE) {
        noRoom++;
      } else {
        unknown++;
        bucketOfRow[row] = BucketTable.NONE;
      }
    }
    metrics.refusedReport(Refusal.NO_ROOM, noRoom);
    metrics.refusedReport(Refusal.UNKNOWN_BUCKET, unknown);
    // One that has come from another aggregator is missing there at this moment.
    boolean moved = report.getUrgent() || !client.isFresh();
    if (moved) {
      client.latch().forEachBucket(watch::urgent); // a bucket without a row offers nothing now
    }
    clients.report(client, report, bucketOfRow, loop.nanoTime(), latchNanos());
    if (moved) {
      client.latch().forEachBucket(watch::urgent);
      onUrgent.run();
    }
  }

  /** A client has asked what is in force; where that is not known, controllers are asked. */
  void asked(Client client) {
    clients.asks(client);
    onUrgent.run();
  }

  /** Who is asked to report less often is waited for longer. */
  private long latchNanos() {
    return overload.intervals() * settings.latchNanos();
  }

  /** A client has said goodbye; it may report to another aggregator already. */
  void left(Client client) {
    client.latch().forEachBucket(watch::urgent);
    clients.remove(client);
    onUrgent.run();
  }

  /** The stream of a client broke off. */
  void lost(Client client) {
    clients.lost(client, loop.nanoTime());
  }

  void remove(AgentSession session) {
    sessions.remove(session);
  }

  void refused(String tag, Peer peer, String reason) {
    metrics.refusedClient(tag);
    if (refusalLog.admits(loop.nanoTime())) {
      long others = refusalLog.takeHeldBack();
      logger.warn(
          "Refused a client at {}: {}; {} more since the last such line",
          peer.address(),
          reason,
          others);
    }
  }

  /** Hears nothing. */
  private static final class Deaf implements LinkListener<AgentMessage> {

    @Override
    public void onMessage(AgentMessage message) {}

    @Override
    public void onClosed(String reason) {}
  }
}
