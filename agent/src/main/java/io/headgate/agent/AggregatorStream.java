package io.headgate.agent;

import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentHello;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.Ask;
import io.headgate.protocol.v1.Goodbye;
import io.headgate.protocol.v1.Report;
import io.headgate.protocol.v1.Subscribe;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One stream to one aggregator. It is over when the link is, or when nothing has come for too long:
 * a connection can die without a sign. Confined to the event loop.
 */
final class AggregatorStream implements LinkListener<AgentDirection>, Reporting.Outlet {

  /** Who opened the stream. */
  interface Owner {

    void onMessage(AggregatorStream stream, AgentDirection message);

    void onReady(AggregatorStream stream);

    /** The version of the rules in force. */
    long configVersion();

    /** The stream is over, and not by the owner's wish. */
    void onLost(AggregatorStream stream, String reason);
  }

  private final EventLoop loop;
  private final Owner owner;
  private final String address;
  private final long silenceNanos;

  private @Nullable Link<AgentMessage> link;
  private long heardNanos;
  private boolean heard;
  private boolean refused;
  private EventLoop.@Nullable Timer watch;

  /**
   * A stream that is not open yet.
   *
   * @param silenceNanos it is given up when nothing has come for so long
   */
  AggregatorStream(EventLoop loop, Owner owner, String address, long silenceNanos) {
    this.loop = loop;
    this.owner = owner;
    this.address = address;
    this.silenceNanos = silenceNanos;
  }

  void open(
      Connector<AgentMessage, AgentDirection> connector,
      AgentHello hello,
      Collection<String> services) {
    link = connector.connect(address, this);
    heardNanos = loop.nanoTime();
    send(AgentMessage.newBuilder().setHello(hello).build());
    subscribe(services);
    watchAgainIn(silenceNanos);
  }

  String address() {
    return address;
  }

  /** Whether the aggregator has ever sent something. */
  boolean hasHeard() {
    return heard;
  }

  /** Notes that a message made no sense, and says whether it is the first one on the stream. */
  boolean isFirstRefusal() {
    boolean first = !refused;
    refused = true;
    return first;
  }

  @Override
  public boolean isReady() {
    return link != null && link.isReady();
  }

  @Override
  public void send(Report.Builder report) {
    report.setConfigVersion(owner.configVersion());
    send(AgentMessage.newBuilder().setReport(report).build());
  }

  @Override
  public void send(Ask ask) {
    send(AgentMessage.newBuilder().setAsk(ask).build());
  }

  void subscribe(Collection<String> services) {
    if (!services.isEmpty()) {
      send(
          AgentMessage.newBuilder()
              .setSubscribe(Subscribe.newBuilder().addAllService(services))
              .build());
    }
  }

  /** Has the aggregator forget this client, and ends the stream. */
  void goodbye() {
    send(AgentMessage.newBuilder().setGoodbye(Goodbye.getDefaultInstance()).build());
    close();
  }

  /** Ends the stream once what was sent has left. The owner hears nothing of it afterwards. */
  void close() {
    if (watch != null) {
      watch.cancel();
    }
    if (link != null) {
      link.close();
      link = null;
    }
  }

  private void send(AgentMessage message) {
    if (link != null) {
      link.send(message);
    }
  }

  @Override
  public void onMessage(AgentDirection message) {
    heardNanos = loop.nanoTime();
    owner.onMessage(this, message);
    heard = true;
  }

  @Override
  public void onReady() {
    owner.onReady(this);
  }

  @Override
  public void onClosed(String reason) {
    close();
    owner.onLost(this, reason);
  }

  private void watchAgainIn(long delayNanos) {
    watch = loop.schedule(delayNanos, this::checkSilence);
  }

  private void checkSilence() {
    long leftNanos = heardNanos + silenceNanos - loop.nanoTime();
    if (leftNanos > 0) {
      watchAgainIn(leftNanos);
    } else {
      // It may be there after all, and then must not count this client twice with its next one.
      goodbye();
      owner.onLost(this, "nothing came for " + TimeUnit.NANOSECONDS.toMillis(silenceNanos) + " ms");
    }
  }
}
