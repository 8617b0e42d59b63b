package io.headgate.control.aggregator;

import io.headgate.protocol.link.Acceptor.Peer;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentHello;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Report;
import io.headgate.protocol.v1.SlowDown;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One stream of an agent: who it is, the numbers of its buckets, and what it was told. */
final class AgentSession implements LinkListener<AgentMessage> {

  private static final int MAX_SERVICES = 1_000;
  private static final int MAX_NAME_LENGTH = 512;

  private final AgentStreams streams;
  private final Peer peer;
  private final Link<AgentDirection> link;
  private final long openedNanos;
  private final BucketNumbers numbers = new BucketNumbers();
  private final DirectiveFeed feed;
  private final Set<String> services = new TreeSet<>();

  private Client.@Nullable Id id;
  private long epoch;
  private @Nullable Client client;
  private boolean finished;
  private int badReports;

  private boolean rulesDue;
  private int toldSlowDownMillis;

  /** In an overload, the newest report, whose counts have not been taken yet. */
  private @Nullable Report waiting;

  AgentSession(AgentStreams streams, Peer peer, Link<AgentDirection> link, long openedNanos) {
    this.streams = streams;
    this.peer = peer;
    this.link = link;
    this.openedNanos = openedNanos;
    feed = new DirectiveFeed(streams, link, numbers);
  }

  @Override
  public void onMessage(AgentMessage message) {
    if (id == null && !message.hasHello()) {
      refuse("bad_hello", "first message is " + message.getKindCase() + " (expected: HELLO)");
      return;
    }
    switch (message.getKindCase()) {
      case HELLO -> hello(message.getHello());
      case SUBSCRIBE -> subscribe(message.getSubscribe().getServiceList());
      case REPORT -> report(message.getReport());
      case ASK -> ask(message.getAsk().getDefineList());
      case GOODBYE -> goodbye();
      case KIND_NOT_SET -> {
        // A kind of message that is newer than this program.
      }
    }
  }

  @Override
  public void onReady() {
    if (rulesDue) {
      sendRules();
    }
    feed.ready();
  }

  @Override
  public void onClosed(String reason) {
    over();
  }

  /** Ends the stream. */
  void close() {
    link.close();
    over();
  }

  /** Whether it has not said who it is, though it had the time. */
  boolean isMute(long nowNanos, long patienceNanos) {
    return id == null && nowNanos - openedNanos >= patienceNanos;
  }

  /** Sends the rules of all services that were asked for, as soon as the link takes them. */
  void sendRules() {
    if (services.isEmpty() || !streams.rules().isKnown()) {
      return;
    }
    rulesDue = !link.isReady();
    if (!rulesDue) {
      link.send(streams.rulesOf(services));
    }
  }

  /** What this agent is told of directives. */
  DirectiveFeed feed() {
    return feed;
  }

  /** Sends a message that is the same for all agents, if the link takes it at once. */
  void sendHeartbeat(AgentDirection heartbeat) {
    if (id != null && link.isReady()) {
      link.send(heartbeat);
    }
  }

  /** Tells how often to report, if that is another word than the last. */
  void sendSlowDown() {
    int millis = streams.overload().slowDownMillis();
    if (id != null && millis != toldSlowDownMillis && link.isReady()) {
      toldSlowDownMillis = millis;
      link.send(
          AgentDirection.newBuilder()
              .setSlowDown(SlowDown.newBuilder().setIntervalMillis(millis))
              .build());
    }
  }

  /** Takes the report that waits, if there is one. */
  void takeWaiting() {
    Report report = waiting;
    waiting = null;
    if (report != null) {
      conclude(take(report));
    }
  }

  private void hello(AgentHello hello) {
    if (id != null) {
      refuse("bad_hello", "a second hello on one stream");
      return;
    }
    HelloCheck.Objection objection = streams.objection(hello, peer);
    if (objection != null) {
      refuse(objection.tag(), objection.text());
      return;
    }
    id = new Client.Id(hello.getService(), hello.getClientId());
    epoch = hello.getEpoch();
    if (!join(id)) {
      refuse("too_many_clients", "no room for one more client");
      return;
    }
    sendSlowDown();
  }

  /**
   * Becomes the stream on which its client reports, unless a later start of the client is known:
   * then this one still gets rules and directives, but its reports do not count.
   *
   * @return whether there was room
   */
  private boolean join(Client.Id id) {
    Client known = streams.clients().get(id);
    if (known == null) {
      if (streams.clients().isFull()) {
        return false;
      }
      client = streams.clients().add(id, epoch);
      client.session(this);
      return true;
    }
    int later = Long.compareUnsigned(epoch, known.epoch());
    if (later < 0) {
      return true;
    }
    AgentSession former = known.session();
    if (later > 0) {
      streams.clients().restart(known, epoch);
    }
    client = known;
    known.session(this);
    if (former != null) {
      former.close();
    }
    return true;
  }

  private void subscribe(List<String> names) {
    List<String> added = new ArrayList<>();
    for (String name : names) {
      if (name.isEmpty() || name.length() > MAX_NAME_LENGTH || services.size() >= MAX_SERVICES) {
        streams.metrics().refusedClient("subscription");
      } else if (services.add(name)) {
        added.add(name);
      }
    }
    if (rulesDue || !link.isReady()) {
      rulesDue = true;
    } else if (!added.isEmpty() && streams.rules().isKnown()) {
      link.send(streams.rulesOf(added));
    }
  }

  private void report(Report report) {
    streams.metrics().report();
    Refusal refusal = streams.check().definitions(report.getDefineList(), numbers);
    if (refusal == null) {
      // Names are taken even if the counts are refused: the agent will not repeat them.
      int before = numbers.count();
      define(report.getDefineList());
      refusal = streams.overload().isOverloaded() ? putOff(report) : take(report);
      feed.defined(before);
    }
    conclude(refusal);
  }

  /** What is in force for these buckets: what is known is told at once, the rest is asked for. */
  private void ask(List<BucketDefinition> definitions) {
    Refusal refusal = streams.check().definitions(definitions, numbers);
    if (refusal == null) {
      int before = numbers.count();
      define(definitions);
      for (int slot = before; slot < numbers.count(); slot++) {
        streams.table().ask(numbers.bucket(slot));
      }
      feed.defined(before);
      Client asking = reporter();
      if (asking != null) {
        streams.asked(asking);
      }
    }
    conclude(refusal);
  }

  /** Keeps a report until the next tick, unless a newer one comes. */
  private @Nullable Refusal putOff(Report report) {
    Report older = waiting;
    if (older != null && report.getSequence() <= older.getSequence()) {
      return Refusal.DUPLICATE;
    }
    waiting = report;
    return older == null ? null : Refusal.SUPERSEDED;
  }

  private void conclude(@Nullable Refusal refusal) {
    if (refusal == null) {
      badReports = 0;
    } else {
      streams.metrics().refusedReport(refusal, 1);
      if (refusal != Refusal.DUPLICATE
          && refusal != Refusal.SUPERSEDED
          && refusal != Refusal.OLD_EPOCH
          && ++badReports >= streams.settings().maxBadReports()) {
        refuse("bad_reports", badReports + " reports in a row made no sense, the last: " + refusal);
      }
    }
  }

  private void define(List<BucketDefinition> definitions) {
    numbers.expect(definitions.size());
    for (BucketDefinition definition : definitions) {
      if (numbers.slot(definition.getId()) < 0) {
        int bucket = streams.table().hold(ReportCheck.key(definition));
        numbers.define(definition.getId(), bucket);
      }
    }
  }

  private @Nullable Refusal take(Report report) {
    if (report.getSequence() < 0) {
      return Refusal.NEGATIVE;
    }
    Client reporter = reporter();
    if (reporter == null) {
      return Refusal.OLD_EPOCH;
    }
    if (report.getSequence() <= reporter.lastSequence()) {
      return Refusal.DUPLICATE;
    }
    Refusal refusal = streams.check().counts(report, numbers);
    if (refusal == null) {
      streams.take(reporter, report, streams.check().bucketOfRow());
    }
    return refusal;
  }

  /** The client if this is the stream on which it reports; null if its reports do not count. */
  private @Nullable Client reporter() {
    if (client == null && id != null && !finished) {
      join(id); // The later start may be gone by now.
    }
    return client != null && client.session() == this ? client : null;
  }

  private void goodbye() {
    takeWaiting();
    finished = true;
    Client reporter = reporter();
    if (reporter != null) {
      reporter.session(null);
      streams.left(reporter);
    }
    client = null;
  }

  private void refuse(String tag, String reason) {
    streams.refused(tag, peer, reason);
    close();
  }

  private void over() {
    Client reporter = client;
    client = null;
    finished = true;
    if (reporter != null && reporter.session() == this) {
      streams.lost(reporter);
    }
    for (int slot = 0; slot < numbers.count(); slot++) {
      if (numbers.bucket(slot) != BucketTable.NONE) {
        streams.table().release(numbers.bucket(slot));
      }
    }
    streams.remove(this);
  }
}
