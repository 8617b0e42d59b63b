package io.headgate.envoy.proxy;

import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Report;
import io.headgate.protocol.v1.Rules;
import io.headgate.protocol.v1.SlowDown;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Aggregators that do nothing but what a test has them do. */
final class FakeAggregators implements Connector<AgentMessage, AgentDirection> {

  private final EventLoop loop;
  private final List<Stream> streams = new ArrayList<>();
  private final Set<String> down = new HashSet<>();

  FakeAggregators(EventLoop loop) {
    this.loop = loop;
  }

  @Override
  public Link<AgentMessage> connect(String address, LinkListener<AgentDirection> listener) {
    Stream stream = new Stream(address, listener);
    streams.add(stream);
    if (down.contains(address)) {
      loop.execute(() -> stream.lose("refused"));
    } else {
      stream.ready = true;
    }
    return stream;
  }

  /** Refuses connections to an address from now on. */
  void down(String address) {
    down.add(address);
  }

  void up(String address) {
    down.remove(address);
  }

  /** All streams that were ever opened, in order. */
  List<Stream> streams() {
    return streams;
  }

  Stream last() {
    return streams.get(streams.size() - 1);
  }

  /** The addresses of all streams that were ever opened, in order. */
  List<String> addresses() {
    return streams.stream().map(Stream::address).toList();
  }

  /** The aggregator's end of one stream. */
  static final class Stream implements Link<AgentMessage> {

    private final String address;
    private final LinkListener<AgentDirection> listener;
    private final List<AgentMessage> received = new ArrayList<>();
    private boolean ready;
    private boolean closed;

    Stream(String address, LinkListener<AgentDirection> listener) {
      this.address = address;
      this.listener = listener;
    }

    String address() {
      return address;
    }

    List<AgentMessage> received() {
      return received;
    }

    List<Report> reports() {
      return received.stream()
          .filter(AgentMessage::hasReport)
          .map(AgentMessage::getReport)
          .toList();
    }

    /** All definitions of buckets, in the order in which they came. */
    List<BucketDefinition> definitions() {
      return received.stream()
          .flatMap(
              message ->
                  message.hasAsk()
                      ? message.getAsk().getDefineList().stream()
                      : message.getReport().getDefineList().stream())
          .toList();
    }

    Report lastReport() {
      List<Report> reports = reports();
      return reports.get(reports.size() - 1);
    }

    /** Whether the agent has ended the stream. */
    boolean isClosed() {
      return closed;
    }

    void ready(boolean ready) {
      this.ready = ready;
      if (ready) {
        listener.onReady();
      }
    }

    void send(Rules.Builder rules) {
      send(AgentDirection.newBuilder().setRules(rules));
    }

    void send(Rules rules) {
      send(AgentDirection.newBuilder().setRules(rules));
    }

    void send(Directives.Builder directives) {
      send(AgentDirection.newBuilder().setDirectives(directives));
    }

    void slowDown(int intervalMillis) {
      send(
          AgentDirection.newBuilder()
              .setSlowDown(SlowDown.newBuilder().setIntervalMillis(intervalMillis)));
    }

    private void send(AgentDirection.Builder message) {
      if (!closed) {
        listener.onMessage(message.build());
      }
    }

    void lose(String reason) {
      if (!closed) {
        closed = true;
        listener.onClosed(reason);
      }
    }

    @Override
    public void send(AgentMessage message) {
      if (!closed) {
        received.add(message);
      }
    }

    @Override
    public boolean isReady() {
      return ready && !closed;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
