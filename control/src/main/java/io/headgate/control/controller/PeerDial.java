package io.headgate.control.controller;

import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.ControllerHello;
import io.headgate.protocol.v1.RegionMessage;
import io.headgate.protocol.v1.RegionReport;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stream to one controller of another region, opened by this side and opened again when it
 * ends. This region's reports go out on it; the peer answers with a hello and nothing else.
 */
final class PeerDial {

  private static final Logger log = LoggerFactory.getLogger(PeerDial.class);

  private static final long FIRST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** Peers are few, and learning waits for them. */
  private static final long MAX_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String address;
  private final Connector<RegionMessage, RegionMessage> connector;
  private final EventLoop loop;
  private final RandomGenerator random;
  private final Supplier<ControllerHello> ownHello;

  private @Nullable Attempt attempt;
  private @Nullable ControllerHello hello;
  private long delayNanos = FIRST_DELAY_NANOS;
  private boolean failed;
  private boolean stopped;

  PeerDial(
      String address,
      Connector<RegionMessage, RegionMessage> connector,
      EventLoop loop,
      RandomGenerator random,
      Supplier<ControllerHello> ownHello) {
    this.address = address;
    this.connector = connector;
    this.loop = loop;
    this.random = random;
    this.ownHello = ownHello;
  }

  void connect() {
    if (!stopped) {
      Attempt next = new Attempt();
      attempt = next;
      next.link = connector.connect(address, next);
      next.send(RegionMessage.newBuilder().setHello(ownHello.get()).build());
    }
  }

  void stop() {
    stopped = true;
    end();
  }

  /** Ends the stream and opens another, on which buckets are numbered anew. */
  void reconnect() {
    end();
    connect();
  }

  void announce(ControllerHello own) {
    if (attempt != null) {
      attempt.send(RegionMessage.newBuilder().setHello(own).build());
    }
  }

  /** Sends a report, with the names of those of its buckets that this stream does not know yet. */
  void report(RegionReport report, RegionExport names) {
    Attempt current = attempt;
    if (current != null && hello != null && current.isReady()) {
      RegionReport.Builder whole = report.toBuilder();
      names.define(report, current.named, whole);
      current.send(RegionMessage.newBuilder().setReport(whole).build());
    }
  }

  String address() {
    return address;
  }

  /** What the peer has said of itself; null while there is no connection. */
  @Nullable ControllerHello hello() {
    return hello;
  }

  /** Whether it was tried and is not there. */
  boolean isUnreachable() {
    return failed && hello == null;
  }

  private void end() {
    if (attempt != null && attempt.link != null) {
      attempt.link.close();
    }
    attempt = null;
    hello = null;
  }

  private void retry() {
    attempt = null;
    hello = null;
    failed = true;
    // Half of the delay is random, so that controllers that lost the same peer come back apart.
    long delay = delayNanos / 2 + random.nextLong(delayNanos / 2);
    delayNanos = Math.min(MAX_DELAY_NANOS, 2 * delayNanos);
    loop.schedule(delay, this::connect);
  }

  /** One stream; what an earlier one says late is not heard. */
  private final class Attempt implements LinkListener<RegionMessage> {

    private final BitSet named = new BitSet();
    private @Nullable Link<RegionMessage> link;

    void send(RegionMessage message) {
      if (link != null) {
        link.send(message);
      }
    }

    boolean isReady() {
      return link != null && link.isReady();
    }

    @Override
    public void onMessage(RegionMessage message) {
      if (attempt == this && message.hasHello()) {
        if (hello == null) {
          log.info(
              "controller {} of region {} reached at {}",
              message.getHello().getControllerId(),
              message.getHello().getRegion(),
              address);
        }
        hello = message.getHello();
        failed = false;
        delayNanos = FIRST_DELAY_NANOS;
      }
    }

    @Override
    public void onClosed(String reason) {
      if (attempt == this) {
        if (hello != null || !failed) {
          log.warn("controller at {} lost, trying again: {}", address, reason);
        }
        retry();
      }
    }
  }
}
