package io.headgate.control.aggregator;

import io.headgate.core.rule.RuleSet;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.ControllerHello;
import io.headgate.protocol.v1.Goodbye;
import io.headgate.protocol.v1.ZoneDirection;
import io.headgate.protocol.v1.ZoneHello;
import io.headgate.protocol.v1.ZoneMessage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to one controller: opened again whenever it ends, after a pause that grows with
 * each failure and is drawn at random, so that a controller that comes back is not met by all at
 * once.
 */
final class ControllerLink {

  private static final Logger logger = LoggerFactory.getLogger(Aggregator.class);
  private static final long MIN_BACKOFF_NANOS = 100_000_000L;

  /**
   * A controller has dozens of aggregators, not thousands, and can judge only once they are back.
   */
  private static final long MAX_BACKOFF_NANOS = 1_000_000_000L;

  private static final int MAX_DOUBLINGS = 4;

  /** A connection that lasted so long was a good one: the next failure is the first again. */
  private static final long GOOD_NANOS = 5_000_000_000L;

  /** Told what happens on the links to controllers. */
  interface Listener {

    /** The controller said who it is, and can be reported to. */
    void onConnected(ControllerLink controller);

    /** The controller said something. */
    void onHeard(ControllerLink controller, ControllerStream stream);

    /** The stream is over. */
    void onLost(ControllerLink controller);
  }

  private final AggregatorSettings settings;
  private final String address;
  private final EventLoop loop;
  private final Connector<ZoneMessage, ZoneDirection> connector;
  private final RandomGenerator random;
  private final BucketTable table;
  private final AggregatorMetrics metrics;
  private final Listener listener;
  private final AtomicBoolean connected = new AtomicBoolean();
  private final AtomicBoolean followed = new AtomicBoolean();

  private @Nullable Connection connection;
  private EventLoop.@Nullable Timer reconnect;
  private int failures;
  private boolean stopped;

  ControllerLink(
      AggregatorSettings settings,
      String address,
      EventLoop loop,
      Connector<ZoneMessage, ZoneDirection> connector,
      RandomGenerator random,
      BucketTable table,
      AggregatorMetrics metrics,
      Listener listener) {
    this.settings = settings;
    this.address = address;
    this.loop = loop;
    this.connector = connector;
    this.random = random;
    this.table = table;
    this.metrics = metrics;
    this.listener = listener;
    metrics.controller(address, connected, followed);
  }

  String address() {
    return address;
  }

  /** What the controller has said, or null while it has not said who it is. */
  @Nullable ControllerStream stream() {
    return connection == null || connection.stream.hello() == null ? null : connection.stream;
  }

  /** Shows whether it is the one that is followed. */
  void showFollowed(boolean isFollowed) {
    followed.set(isFollowed);
  }

  void connect() {
    reconnect = null;
    Connection opened = new Connection();
    connection = opened;
    opened.link = connector.connect(address, opened);
    opened.send(
        ZoneMessage.newBuilder()
            .setHello(
                ZoneHello.newBuilder()
                    .setAggregatorId(settings.aggregatorId())
                    .setEpoch(settings.epoch())
                    .setRegion(settings.region())
                    .setZone(settings.zone()))
            .build());
  }

  /**
   * Reports the sums, unless the link would have to store them: the next report holds them all.
   *
   * @param urgent whether only those buckets are in it that are {@code news}
   */
  void report(ZoneSums sums, RuleSet rules, Clients clients, boolean urgent, IntPredicate news) {
    Connection open = connection;
    if (open == null || open.stream.hello() == null || !open.isReady()) {
      return;
    }
    if (open.stream.reports().isExhausted()) {
      fail(open, "all numbers are used, a new stream begins");
      return;
    }
    open.stream
        .reports()
        .write(sums, rules.version(), clients.fresh(), clients.asking(), urgent, news)
        .forEach(open::send);
  }

  /** Opens a new stream if nothing came on this one for so long. */
  void renewIfSilent(long nowNanos, long patienceNanos) {
    if (connection != null && nowNanos - connection.stream.heardNanos() >= patienceNanos) {
      fail(connection, "silent for " + patienceNanos / 1_000_000 + " ms");
    }
  }

  /** The bucket's index is about to mean another bucket. */
  void forget(int bucket) {
    if (connection != null) {
      connection.stream.forget(bucket);
    }
  }

  /** Says goodbye and ends the link for good. */
  void stop() {
    stopped = true;
    if (reconnect != null) {
      reconnect.cancel();
    }
    if (connection != null) {
      connection.send(ZoneMessage.newBuilder().setGoodbye(Goodbye.getDefaultInstance()).build());
      connection.close();
      connection = null;
    }
    connected.set(false);
    followed.set(false);
  }

  private void fail(Connection failed, String reason) {
    failed.close();
    over(failed, reason);
  }

  private void over(Connection ended, String reason) {
    if (connection != ended) {
      return;
    }
    connection = null;
    boolean wasConnected = connected.getAndSet(false);
    long lastedNanos = loop.nanoTime() - ended.openedNanos;
    failures = wasConnected && lastedNanos >= GOOD_NANOS ? 0 : failures + 1;
    long ceilingNanos =
        Math.min(
            MAX_BACKOFF_NANOS,
            MIN_BACKOFF_NANOS << Math.min(MAX_DOUBLINGS, Math.max(0, failures - 1)));
    if (wasConnected) {
      logger.warn("Lost controller {}: {}", address, reason);
    } else {
      logger.debug("No connection to controller {}: {}", address, reason);
    }
    if (!stopped) {
      reconnect = loop.schedule(random.nextLong(ceilingNanos), this::connect);
    }
    listener.onLost(this);
  }

  private final class Connection implements LinkListener<ZoneDirection> {

    private final long openedNanos = loop.nanoTime();
    private final ControllerStream stream =
        new ControllerStream(new ZoneReportWriter(table), openedNanos);
    private @Nullable Link<ZoneMessage> link;

    @Override
    public void onMessage(ZoneDirection message) {
      if (this != connection) {
        return;
      }
      if (stream.hello() == null && !message.hasHello()) {
        metrics.refusedMessage("no_hello");
        fail(this, "its first message is " + message.getKindCase() + " (expected: HELLO)");
        return;
      }
      try {
        take(message);
      } catch (IllegalArgumentException e) {
        metrics.refusedMessage("bad_message");
        logger.warn("Refused a message of controller {}: {}", address, e.getMessage());
      }
      if (this == connection) {
        stream.heard(loop.nanoTime());
        listener.onHeard(ControllerLink.this, stream);
      }
    }

    @Override
    public void onClosed(String reason) {
      over(this, reason);
    }

    private void take(ZoneDirection message) {
      switch (message.getKindCase()) {
        case HELLO -> hello(message.getHello());
        case RULES -> stream.rules(message.getRules());
        case DIRECTIVES -> {
          if (!stream.isLearning()
              && stream.directives(message.getDirectives(), loop.nanoTime()) > 0) {
            metrics.refusedMessage("unknown_bucket");
          }
        }
        case KIND_NOT_SET -> {
          // A kind of message that is newer than this program.
        }
      }
    }

    private void hello(ControllerHello hello) {
      if (!hello.getRegion().equals(settings.region())) {
        metrics.refusedMessage("wrong_region");
        fail(
            this,
            "it is in region '" + hello.getRegion() + "' (expected: '" + settings.region() + "')");
        return;
      }
      boolean first = stream.hello() == null;
      stream.hello(hello);
      if (first) {
        connected.set(true);
        logger.info(
            "Connected to controller {} at {}{}",
            hello.getControllerId(),
            address,
            hello.getLearning() ? ", which is learning" : "");
        listener.onConnected(ControllerLink.this);
      }
    }

    boolean isReady() {
      return link != null && link.isReady();
    }

    void send(ZoneMessage message) {
      if (link != null) {
        link.send(message);
      }
    }

    void close() {
      if (link != null) {
        link.close();
      }
    }
  }
}
