package io.headgate.control.aggregator;

import io.headgate.control.status.AggregatorStatus;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.ZoneDirection;
import io.headgate.protocol.v1.ZoneMessage;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A zone aggregator: keeps the latest rates of each client, sums them for the controllers of its
 * region, and hands the rules and directives of one of these down to the clients.
 *
 * <p>It is a state machine on an event loop and keeps nothing across restarts: clients report again
 * within an interval. Several of a zone share its clients and need not know one another.
 */
public final class Aggregator {

  private static final Logger logger = LoggerFactory.getLogger(Aggregator.class);

  /** After how many silent report intervals a stream to a controller is opened anew. */
  private static final int RENEW_INTERVALS = 10;

  /** How long an urgent report waits for those of other clients that see the same change. */
  private static final long URGENT_NANOS = 10_000_000;

  /** How often it looks whether the sum of demand has moved. */
  private static final long LOOK_NANOS = 100_000_000;

  /**
   * Urgent reports and looks wait this many times longer than the last took, so as to stay a tenth.
   */
  private static final long URGENT_REST = 9;

  private final AggregatorSettings settings;
  private final EventLoop loop;
  private final RandomGenerator random;
  private final AggregatorMetrics metrics;
  private final RuleTallies tallies;
  private final BucketTable table;
  private final RulesInForce rules;
  private final DirectivesInForce directives = new DirectivesInForce();
  private final ZoneSums sums = new ZoneSums();
  private final ZoneWatch watch = new ZoneWatch();
  private final Overload overload;
  private final AgentStreams agents;
  private final Following following;
  private final List<ControllerLink> controllers;

  private EventLoop.@Nullable Timer nextTick;
  private EventLoop.@Nullable Timer nextLook;
  private EventLoop.@Nullable Timer urgentReport;
  private long urgentTookNanos;
  private long tickDueNanos;
  private boolean stopped;

  /**
   * An aggregator that does nothing until it is started.
   *
   * @param connector opens links to the controllers; their listeners are called on {@code loop}
   * @param random spreads the start of the report interval and the pauses between connections
   * @param registry gets the metrics, each with the aggregator's id as the tag {@code aggregator}
   */
  public Aggregator(
      AggregatorSettings settings,
      EventLoop loop,
      Connector<ZoneMessage, ZoneDirection> connector,
      RandomGenerator random,
      MeterRegistry registry) {
    this.settings = settings;
    this.loop = loop;
    this.random = random;
    Tags tags = Tags.of("aggregator", settings.aggregatorId());
    metrics = new AggregatorMetrics(registry, tags);
    tallies = new RuleTallies(registry, tags);
    table = new BucketTable(settings.maxBuckets(), tallies);
    rules = new RulesInForce(settings.directiveTtl().toNanos());
    overload = new Overload(settings.intervalNanos());
    agents =
        new AgentStreams(
            settings,
            loop,
            metrics,
            table,
            rules,
            directives,
            overload,
            sums,
            watch,
            this::scheduleUrgentReport);
    following = new Following(settings, loop, metrics, rules, directives, agents, table, tallies);
    ControllerLink.Listener heard = new Heard();
    controllers =
        settings.controllers().stream()
            .map(
                address ->
                    new ControllerLink(
                        settings, address, loop, connector, random, table, metrics, heard))
            .toList();
    following.controllers(controllers);
  }

  /** Takes the streams of agents; to be called on the event loop. */
  public Acceptor<AgentDirection, AgentMessage> agents() {
    return agents;
  }

  /** Connects to the controllers and begins to report. May be called from any thread, once. */
  public void start() {
    loop.execute(
        () -> {
          controllers.forEach(ControllerLink::connect);
          scheduleTick(random.nextLong(settings.intervalNanos()));
          if (settings.urgentReports()) {
            scheduleLook(LOOK_NANOS);
          }
        });
  }

  /**
   * Says goodbye to the controllers and ends all links. Agents find another aggregator. May be
   * called from any thread.
   */
  public void stop() {
    loop.execute(
        () -> {
          stopped = true;
          if (nextTick != null) {
            nextTick.cancel();
          }
          if (nextLook != null) {
            nextLook.cancel();
          }
          agents.stop();
          controllers.forEach(ControllerLink::stop);
        });
  }

  /**
   * Whether it follows a controller and has rules, so that it can serve agents. May be called from
   * any thread.
   */
  public boolean isReady() {
    return following.isReady();
  }

  /** What it knows now. May be called from any thread. */
  public CompletableFuture<AggregatorStatus> status() {
    CompletableFuture<AggregatorStatus> status = new CompletableFuture<>();
    loop.execute(
        () ->
            status.complete(
                StatusReport.of(
                    settings,
                    agents.clients(),
                    rules,
                    directives,
                    following,
                    controllers,
                    table,
                    sums,
                    overload)));
    return status;
  }

  private void scheduleTick(long delayNanos) {
    tickDueNanos = loop.nanoTime() + delayNanos;
    nextTick = loop.schedule(delayNanos, this::tick);
  }

  /** A client's demand has moved: what comes from others in the next moment goes along with it. */
  private void scheduleUrgentReport() {
    if (urgentReport == null && !overload.isOverloaded()) {
      urgentReport =
          loop.schedule(
              Math.max(URGENT_NANOS, URGENT_REST * urgentTookNanos), this::reportUrgently);
    }
  }

  private void reportUrgently() {
    urgentReport = null;
    if (!stopped && !overload.isOverloaded()) {
      long startNanos = loop.nanoTime();
      reportAll(true, bucket -> watch.isNews(sums, bucket));
      urgentTookNanos = loop.nanoTime() - startNanos;
    }
  }

  private void scheduleLook(long delayNanos) {
    nextLook = loop.schedule(delayNanos, this::look);
  }

  private void look() {
    long startNanos = loop.nanoTime();
    if (!overload.isOverloaded() && watch.hasMoved(sums, table.end())) {
      reportAll(true, bucket -> watch.isChanged(sums, bucket));
    }
    scheduleLook(Math.max(LOOK_NANOS, URGENT_REST * (loop.nanoTime() - startNanos)));
  }

  /**
   * Tells all controllers.
   *
   * @param urgent whether between the intervals, and only of those buckets that are {@code news}
   */
  private void reportAll(boolean urgent, IntPredicate news) {
    controllers.forEach(controller -> report(controller, urgent, news));
    watch.told(sums, table.end(), news);
  }

  private void report(ControllerLink controller, boolean urgent, IntPredicate news) {
    controller.report(sums, rules.get(), agents.clients(), urgent, news);
  }

  private void tick() {
    if (stopped) {
      return;
    }
    long startNanos = loop.nanoTime();
    agents.tidy(startNanos);
    agents.takeWaiting();
    agents.clients().settle(startNanos);
    following.tick();
    if (directives.settle(bucket -> !isReported(bucket), table.end())) {
      agents.directivesChanged();
    }
    reportAll(false, bucket -> true);
    for (ControllerLink controller : controllers) {
      controller.renewIfSilent(startNanos, RENEW_INTERVALS * settings.intervalNanos());
    }
    agents.heartbeat();
    table.sweep(this::isNeeded, this::forget);
    tallies.publish();
    metrics.clients(agents.size(), agents.clients());
    metrics.buckets(table.size());
    long endNanos = loop.nanoTime();
    metrics.tick(endNanos - startNanos);
    reviewLoad(startNanos - tickDueNanos, endNanos - startNanos);
    // The next one is due an interval after this one was, however late this one came.
    scheduleTick(Math.max(0, tickDueNanos + settings.intervalNanos() - endNanos));
  }

  private void reviewLoad(long lateNanos, long tookNanos) {
    boolean before = overload.isOverloaded();
    if (overload.tick(lateNanos, tookNanos)) {
      metrics.slowDown(overload.slowDownMillis());
      if (overload.isOverloaded()) {
        logger.warn(
            "overloaded (a tick was {} ms late and took {} ms): clients are to report each {} ms,"
                + " and of several reports of a client only the newest counts",
            lateNanos / 1_000_000,
            tookNanos / 1_000_000,
            overload.slowDownMillis());
      } else if (before) {
        logger.info("no longer overloaded: clients report as usual");
      }
    }
    agents.slowDown();
  }

  private boolean isNeeded(int bucket) {
    return sums.offered(bucket) > 0 || !directives.directive(bucket).isNone();
  }

  /** Whether the controllers hear of a bucket. */
  private boolean isReported(int bucket) {
    return sums.offered(bucket) > 0 && table.rule(bucket) != null || table.isAsked(bucket);
  }

  private void forget(int bucket) {
    directives.forget(bucket);
    for (ControllerLink controller : controllers) {
      controller.forget(bucket);
    }
  }

  /** Passes on what comes from controllers. */
  private final class Heard implements ControllerLink.Listener {

    @Override
    public void onConnected(ControllerLink controller) {
      // At once, because a controller judges only when it has heard from nearly all aggregators.
      report(controller, false, bucket -> true);
    }

    @Override
    public void onHeard(ControllerLink controller, ControllerStream stream) {
      following.heard(controller, stream);
    }

    @Override
    public void onLost(ControllerLink controller) {
      following.lost();
    }
  }
}
