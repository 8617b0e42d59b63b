package io.headgate.agent;

import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentHello;
import io.headgate.protocol.v1.AgentMessage;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a stream to one of the aggregators. It takes them in an order of preference: the next one
 * after a failure, and while that is not the first, it tries the first again now and then, and
 * moves only once that has answered. Confined to the event loop, but for what says otherwise.
 */
final class Session implements AggregatorStream.Owner {

  private static final System.Logger LOG = System.getLogger(Session.class.getName());

  private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long MOST_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long HOME_TRIAL_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** An aggregator speaks each second, however often it is reported to. */
  private static final long LEAST_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final int SILENT_INTERVALS = 3;

  /** Together with those in use far less than an aggregator takes of one client. */
  private static final int MOST_WASTED_NUMBERS = 10_000;

  /** As long as the directives of a control plane with default settings live. */
  private static final long RULES_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final EventLoop loop;
  private final RandomGenerator random;
  private final Connector<AgentMessage, AgentDirection> connector;
  private final List<String> addresses;
  private final AgentHello hello;
  private final Gates gates;
  private final BucketNumbers numbers;
  private final Reporting reporter;
  private final RuleBook rules;
  private final Enforcement enforcement;
  private final @Nullable GuardWatch guards;
  private final Directions directions;
  private final Backoff backoff;

  private int position;
  private @Nullable AggregatorStream active;

  /** To the first choice, while another one is in use. */
  private @Nullable AggregatorStream candidate;

  private EventLoop.@Nullable Timer connectTimer;
  private EventLoop.@Nullable Timer homeTimer;
  private @Nullable Runnable whenClosed;

  private volatile String aggregator = "";

  /**
   * A session that has not begun.
   *
   * @param addresses in order of preference; none for a session that never connects
   * @param gates whose counts are reported, and to whose services rules are brought
   * @param numbers the ones that {@code reporter} gives to buckets
   * @param guards looks after surge guards; null where requests are judged elsewhere
   * @param directivesChanged told when what is in force for any bucket has changed
   */
  Session(
      EventLoop loop,
      RandomGenerator random,
      Connector<AgentMessage, AgentDirection> connector,
      List<String> addresses,
      AgentHello hello,
      Gates gates,
      BucketNumbers numbers,
      Reporting reporter,
      @Nullable GuardWatch guards,
      long releaseRampNanos,
      Runnable directivesChanged) {
    this.loop = loop;
    this.random = random;
    this.connector = connector;
    this.addresses = addresses;
    this.hello = hello;
    this.gates = gates;
    this.numbers = numbers;
    this.reporter = reporter;
    this.guards = guards;
    rules = new RuleBook(loop, gates, RULES_PATIENCE_NANOS, this::olderRulesAdopted);
    enforcement = new Enforcement(loop, releaseRampNanos, directivesChanged);
    directions = new Directions(rules, enforcement, reporter, numbers);
    backoff = new Backoff(FIRST_BACKOFF_NANOS, MOST_BACKOFF_NANOS, random);
    gates.onNewService(service -> loop.execute(() -> subscribe(service)));
  }

  void start() {
    if (!addresses.isEmpty()) {
      reporter.start();
      connect();
    }
  }

  /** The aggregator that has answered; empty if there is none. Any thread. */
  String aggregator() {
    return aggregator;
  }

  /** Messages that made no sense. Any thread. */
  long refusedMessages() {
    return directions.refusedMessages();
  }

  /** The version of the rules in force; 0 before there are any. Any thread. */
  @Override
  public long configVersion() {
    return rules.version();
  }

  private void subscribe(String service) {
    if (active != null) {
      active.subscribe(List.of(service));
    }
    if (candidate != null) {
      candidate.subscribe(List.of(service));
    }
  }

  /**
   * Directives that were ignored for their version are not sent again; a new stream begins with all
   * of them.
   */
  private void olderRulesAdopted() {
    rulesChanged();
    if (directions.hasMissedDirectives()) {
      reopen();
    }
  }

  private void rulesChanged() {
    if (guards != null) {
      guards.rulesChanged();
    }
  }

  /** Changes of rules leave numbers behind that no bucket uses; a new stream begins without. */
  void reopenIfNumbersAreWasted() {
    if (numbers.count() > 2 * gates.bucketCount() + MOST_WASTED_NUMBERS) {
      reopen();
    }
  }

  private void reopen() {
    if (active != null) {
      active.close();
      connect();
    }
  }

  /**
   * Sends the last counts and a goodbye, if need be to whichever aggregator can be reached in time.
   *
   * @param done told when they have been handed to the link, or when the time is over
   */
  void close(long timeoutNanos, Runnable done) {
    if (whenClosed != null || addresses.isEmpty()) {
      done.run();
      return;
    }
    whenClosed = done;
    reporter.stop();
    cancelTimers();
    if (candidate != null) {
      candidate.close();
      candidate = null;
    }
    if (active == null) {
      connect();
    }
    loop.schedule(timeoutNanos, this::closed);
    sayGoodbyeIfReady();
  }

  private void sayGoodbyeIfReady() {
    if (whenClosed != null && active != null && active.isReady()) {
      reporter.reportLast();
      active.goodbye();
      closed();
    }
  }

  private void closed() {
    Runnable done = whenClosed;
    if (done == null) {
      return;
    }
    whenClosed = () -> {};
    cancelTimers();
    reporter.detach();
    if (active != null) {
      active.close();
      active = null;
    }
    aggregator = "";
    if (guards != null) {
      guards.stop();
    }
    enforcement.end();
    done.run();
  }

  private void cancelTimers() {
    if (connectTimer != null) {
      connectTimer.cancel();
    }
    if (homeTimer != null) {
      homeTimer.cancel();
    }
  }

  private void connect() {
    use(open(addresses.get(position)));
  }

  private AggregatorStream open(String address) {
    long silenceNanos = Math.max(LEAST_SILENCE_NANOS, SILENT_INTERVALS * reporter.intervalNanos());
    AggregatorStream stream = new AggregatorStream(loop, this, address, silenceNanos);
    stream.open(connector, hello, gates.serviceNames());
    return stream;
  }

  private void use(AggregatorStream stream) {
    active = stream;
    directions.streamChanged();
    reporter.attach(stream);
  }

  @Override
  public void onReady(AggregatorStream stream) {
    if (stream == active) {
      reporter.ready();
      sayGoodbyeIfReady();
    }
  }

  @Override
  public void onLost(AggregatorStream stream, String reason) {
    if (stream == candidate) {
      candidate = null;
      tryHomeLater();
    } else if (stream == active) {
      LOG.log(
          stream.hasHeard() ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
          "aggregator {0}: lost: {1}",
          stream.address(),
          reason);
      active = null;
      aggregator = "";
      reporter.detach();
      moveOn();
    }
  }

  private void moveOn() {
    if (candidate != null) {
      position = 0;
      AggregatorStream next = candidate;
      candidate = null;
      use(next);
      return;
    }
    position = (position + 1) % addresses.size();
    long waitNanos = backoff.nextNanos();
    connectTimer =
        loop.schedule(
            whenClosed == null ? waitNanos : Math.min(waitNanos, FIRST_BACKOFF_NANOS),
            this::connect);
  }

  private void tryHomeLater() {
    homeTimer = loop.schedule(HOME_TRIAL_NANOS + random.nextLong(HOME_TRIAL_NANOS), this::tryHome);
  }

  private void tryHome() {
    if (position != 0 && active != null && candidate == null) {
      candidate = open(addresses.get(0));
    }
  }

  /** Moves to the first choice when a report can be sent there, so that no rate is missing. */
  private void moveHome(AggregatorStream home) {
    AggregatorStream old = active;
    if (home != candidate || old == null) {
      return;
    }
    candidate = null;
    position = 0;
    aggregator = home.address();
    use(home);
    old.goodbye();
  }

  @Override
  public void onMessage(AggregatorStream stream, AgentDirection message) {
    if (stream == candidate && !stream.hasHeard()) {
      loop.schedule(reporter.nanosToNextReport(), () -> moveHome(stream));
    }
    if (stream == active && !stream.hasHeard()) {
      backoff.reset();
      aggregator = stream.address();
      LOG.log(System.Logger.Level.DEBUG, "aggregator {0}: connected", stream.address());
      if (position != 0 && whenClosed == null) {
        tryHomeLater();
      }
    }
    directions.follow(message, stream, stream == active);
    if (message.hasRules()) {
      rulesChanged();
      reopenIfNumbersAreWasted();
    }
  }
}
