package io.headgate.control.aggregator;

import io.headgate.control.RecordingLink;
import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentHello;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.Ask;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Goodbye;
import io.headgate.protocol.v1.Report;
import io.headgate.protocol.v1.Rules;
import io.headgate.protocol.v1.Subscribe;
import java.util.List;
import java.util.Set;

/** The other end of an agent's stream. */
final class FakeAgent {

  private final RecordingLink<AgentDirection> link = new RecordingLink<>();
  private final LinkListener<AgentMessage> stream;
  private long sequence;

  FakeAgent(Aggregator aggregator, Set<String> identities) {
    stream = aggregator.agents().accept(new Acceptor.Peer("10.0.0.1:40000", identities), link);
  }

  static AgentHello hello(String clientId, long epoch) {
    return AgentHello.newBuilder()
        .setClientId(clientId)
        .setEpoch(epoch)
        .setService("checkout")
        .setRegion("eu")
        .setZone("eu-1")
        .build();
  }

  void send(AgentMessage message) {
    if (!link.isClosed()) {
      stream.onMessage(message);
    }
  }

  void hello(AgentHello hello) {
    send(AgentMessage.newBuilder().setHello(hello).build());
  }

  void subscribe(String... services) {
    send(
        AgentMessage.newBuilder()
            .setSubscribe(Subscribe.newBuilder().addAllService(List.of(services)))
            .build());
  }

  /** Asks what is in force for buckets. */
  void ask(BucketDefinition... buckets) {
    send(AgentMessage.newBuilder().setAsk(Ask.newBuilder().addAllDefine(List.of(buckets))).build());
  }

  void report(Report.Builder report) {
    sequence = Math.max(sequence, report.getSequence());
    send(AgentMessage.newBuilder().setReport(report).build());
  }

  /** Reports, with the next sequence number, what the bucket 1 was offered in a second. */
  void reportAgain(long offered) {
    report(Samples.report(sequence + 1).addBucket(1).addOffered(offered));
  }

  void goodbye() {
    send(AgentMessage.newBuilder().setGoodbye(Goodbye.getDefaultInstance()).build());
  }

  /** The connection breaks. */
  void breakOff() {
    if (!link.isClosed()) {
      link.close();
      stream.onClosed("connection lost");
    }
  }

  void linkReady(boolean ready) {
    link.ready(ready);
    if (ready) {
      stream.onReady();
    }
  }

  boolean isClosed() {
    return link.isClosed();
  }

  /** What came since the last call. */
  List<AgentDirection> take() {
    return link.take();
  }

  /** The directive messages with rows since the last call. */
  List<Directives> takeDirectives() {
    return take().stream()
        .filter(AgentDirection::hasDirectives)
        .map(AgentDirection::getDirectives)
        .filter(message -> message.getBucketCount() > 0)
        .toList();
  }

  /** The times to live of the heartbeats since the last call. */
  List<Integer> takeHeartbeatTtls() {
    return take().stream()
        .filter(AgentDirection::hasDirectives)
        .map(AgentDirection::getDirectives)
        .filter(message -> message.getBucketCount() == 0)
        .map(Directives::getTtlMillis)
        .toList();
  }

  /** How often it was asked to report since the last call, in milliseconds; 0: as usual. */
  List<Integer> takeSlowDowns() {
    return take().stream()
        .filter(AgentDirection::hasSlowDown)
        .map(direction -> direction.getSlowDown().getIntervalMillis())
        .toList();
  }

  List<Rules> takeRules() {
    return take().stream().filter(AgentDirection::hasRules).map(AgentDirection::getRules).toList();
  }
}
