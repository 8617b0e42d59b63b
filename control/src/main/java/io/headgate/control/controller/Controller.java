package io.headgate.control.controller;

import io.headgate.control.status.ControllerStatus;
import io.headgate.control.status.FileProblem;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.v1.ControllerHello;
import io.headgate.protocol.v1.RegionMessage;
import io.headgate.protocol.v1.ZoneDirection;
import io.headgate.protocol.v1.ZoneMessage;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A region's controller: sums what the aggregators of the region and the controllers of other
 * regions report, applies the drop law to each bucket in each of its domains, and hands rules and
 * directives down.
 *
 * <p>The controllers of a region are replicas without an election: each hears every aggregator and
 * judges by itself. One that has just started is learning and sends no directives, see {@link
 * ControllerStatus#learning()}.
 *
 * <p>It is a state machine that lives on an event loop. The acceptors are to be called there; all
 * other methods may be called from any thread.
 */
public final class Controller {

  private static final Logger log = LoggerFactory.getLogger(Controller.class);

  /** What is no longer used is looked for once in so many ticks. */
  private static final int SWEEP_TICKS = 60;

  /** How long an urgent report waits for those of others that see the same change. */
  private static final long URGENT_NANOS = 10_000_000;

  /** After an urgent judgement the loop is left to others for so many times as long as it took. */
  private static final int URGENT_REST = 3;

  private final ControllerSettings settings;
  private final EventLoop loop;
  private final Buckets buckets;
  private final Aggregators aggregators;
  private final Exchange exchange;
  private final Learning learning;
  private final ControllerMetrics metrics;
  private final RuleGauges ruleGauges;
  private final long tickNanos;
  private final int ttlMillis;

  private final RulesInForce rules = new RulesInForce();
  private EventLoop.@Nullable Timer tickTimer;
  private EventLoop.@Nullable Timer urgentJudgement;
  private long urgentDelayNanos = URGENT_NANOS;
  private boolean exportUrgently;
  private long tickDueNanos;
  private int ticks;
  private volatile boolean ready;
  private volatile boolean stopped;

  /**
   * A controller that does nothing before {@link #start}.
   *
   * @param loop where it lives
   * @param peers connects to controllers of other regions
   * @param random for the delays between attempts to connect
   * @param registry where its metrics go, tagged with its id
   */
  public Controller(
      ControllerSettings settings,
      EventLoop loop,
      Connector<RegionMessage, RegionMessage> peers,
      RandomGenerator random,
      MeterRegistry registry) {
    this.settings = settings;
    this.loop = loop;
    this.tickNanos = settings.tick().toNanos();
    this.ttlMillis = (int) settings.directiveTtl().toMillis();
    Tags tags = Tags.of("controller", settings.controllerId());
    metrics = new ControllerMetrics(registry, tags);
    ruleGauges = new RuleGauges(registry, tags);
    learning = new Learning(settings.learningMax().toNanos(), settings.expectedAggregators());
    buckets = new Buckets(settings.maxBuckets(), settings.law());
    aggregators = new Aggregators(settings, loop, buckets, metrics, new FromAggregators());
    exchange =
        new Exchange(
            settings,
            loop,
            peers,
            random,
            buckets,
            metrics,
            () -> hello(!learning.isRegionHeard()),
            this::heardPeer);
  }

  /** Takes the streams of this region's aggregators. */
  public Acceptor<ZoneDirection, ZoneMessage> aggregators() {
    return aggregators;
  }

  /** Takes the streams of controllers of other regions. */
  public Acceptor<RegionMessage, RegionMessage> peers() {
    return exchange;
  }

  /** Begins to tick and to connect to peers. */
  public void start() {
    loop.execute(
        () -> {
          exchange.start();
          tickDueNanos = loop.nanoTime() + tickNanos;
          tickTimer = loop.schedule(tickNanos, this::tick);
        });
  }

  /** Ends all streams; directives in force hold until their time to live is over. */
  public void stop() {
    stopped = true;
    ready = false;
    loop.execute(
        () -> {
          if (tickTimer != null) {
            tickTimer.cancel();
          }
          aggregators.close();
          exchange.stop();
          ruleGauges.close();
          metrics.close();
        });
  }

  /**
   * Puts rules in force: they go to all aggregators, and directives for the new limits follow at
   * once.
   *
   * @param rules all rules; their version is what directives will carry
   * @param problems what is wrong in the rule files, for those who look
   */
  public void updateRules(RuleSet rules, List<FileProblem> problems) {
    loop.execute(() -> take(rules, List.copyOf(problems)));
  }

  /** Whether there are rules; aggregators may connect before. */
  public boolean isReady() {
    return ready;
  }

  /** What it knows now. */
  public CompletableFuture<ControllerStatus> status() {
    CompletableFuture<ControllerStatus> future = new CompletableFuture<>();
    loop.execute(() -> future.complete(describe()));
    return future;
  }

  private void take(RuleSet next, List<FileProblem> nextProblems) {
    if (stopped) {
      return;
    }
    if (rules.take(next, nextProblems)) {
      buckets.rules(next);
      ruleGauges.retain(next);
      log.info("rules of version {} in force, {} in all", rules.version(), rules.count());
      aggregators.forEach(
          stream -> {
            sendRules(stream);
            stream.sendAll();
          });
      boolean wasLearning = !learning.isOver();
      review();
      if (!wasLearning) {
        judge();
      }
    }
    ready = true;
    show();
  }

  private void tick() {
    if (stopped) {
      return;
    }
    long begin = loop.nanoTime();
    long delay = begin - tickDueNanos;
    try {
      aggregators.advance(begin);
      exchange.advance(begin);
      review();
      sumRegion();
      if (learning.isRegionHeard()) {
        exchange.report(rules.version(), false);
      }
      exchange.addDemand();
      if (learning.isOver()) {
        buckets.judge(loop.nanoTime());
        push(true);
      } else {
        // A sign of life: an aggregator takes one that says nothing for lost.
        aggregators.forEach(stream -> stream.send(aggregatorHello()));
      }
      if (++ticks % SWEEP_TICKS == 0) {
        List<RateTable> inUse = new ArrayList<>();
        aggregators.collectRates(inUse);
        exchange.collectRates(inUse);
        buckets.sweep(inUse);
      }
      show();
      ruleGauges.update(buckets.active());
    } finally {
      long end = loop.nanoTime();
      metrics.recordTick(delay, end - begin);
      // Ticks that are overdue are left out, not made up for.
      tickDueNanos = Math.max(tickDueNanos + tickNanos, end);
      tickTimer = loop.schedule(tickDueNanos - end, this::tick);
    }
  }

  /** Whether enough has been heard may have changed. */
  private void review() {
    if (stopped) {
      return;
    }
    boolean wasRegionHeard = learning.isRegionHeard();
    boolean wasOver = learning.isOver();
    learning.review(aggregators.census(), rules.isKnown(), exchange.isAwaited(), loop.nanoTime());
    if (learning.isRegionHeard() != wasRegionHeard) {
      exchange.announce();
      if (learning.isRegionHeard()) {
        sumRegion();
        exchange.report(rules.version(), false);
      }
    }
    if (learning.isOver() != wasOver) {
      log.info(
          learning.isOver()
              ? "learning is over, {} aggregators are heard"
              : "learning again, {} aggregators are heard",
          aggregators.connected());
      aggregators.forEach(
          stream -> {
            stream.send(aggregatorHello());
            stream.sendAll();
          });
      if (learning.isOver()) {
        judge();
      }
    }
  }

  private void heardPeer(boolean urgent) {
    review();
    if (urgent) {
      judgeSoon();
    }
  }

  /** Demand has moved: what else is heard of in the next moment is judged along with it. */
  private void judgeSoon() {
    if (urgentJudgement == null && learning.isOver()) {
      urgentJudgement = loop.schedule(urgentDelayNanos, this::judgeUrgently);
    }
  }

  private void judgeUrgently() {
    urgentJudgement = null;
    if (stopped || !learning.isOver()) {
      return;
    }
    long beginNanos = loop.nanoTime();
    sumRegion();
    if (exportUrgently) {
      exportUrgently = false;
      exchange.report(rules.version(), true);
    }
    exchange.addDemand();
    buckets.judge(loop.nanoTime());
    push(false);
    urgentDelayNanos = Math.max(URGENT_NANOS, URGENT_REST * (loop.nanoTime() - beginNanos));
  }

  /** Applies the law to the demand as it is known now, and sends what changes. */
  private void judge() {
    sumRegion();
    exchange.addDemand();
    buckets.judge(loop.nanoTime());
    push(false);
  }

  private void sumRegion() {
    buckets.clear();
    aggregators.addDemand();
  }

  private void push(boolean renew) {
    aggregators.forEach(stream -> stream.push(rules.version(), ttlMillis, renew));
  }

  private ZoneDirection aggregatorHello() {
    return ZoneDirection.newBuilder().setHello(hello(!learning.isOver())).build();
  }

  private ControllerHello hello(boolean learning) {
    return ControllerHello.newBuilder()
        .setControllerId(settings.controllerId())
        .setEpoch(settings.epoch())
        .setRegion(settings.region())
        .setLearning(learning)
        .build();
  }

  private void show() {
    long nowNanos = loop.nanoTime();
    metrics.show(
        new ControllerMetrics.Figures(
            aggregators.connected(),
            exchange.connected(),
            aggregators.census().clients(),
            !learning.isOver(),
            rules.version(),
            rules.problems().size(),
            buckets.active().size()));
    aggregators.show(metrics, nowNanos);
    exchange.show(metrics, nowNanos);
  }

  private ControllerStatus describe() {
    long nowNanos = loop.nanoTime();
    return new ControllerStatus(
        settings.controllerId(),
        settings.region(),
        !learning.isOver(),
        rules.version(),
        rules.digest(),
        rules.count(),
        rules.problems(),
        aggregators.status(nowNanos),
        exchange.status(nowNanos),
        buckets.status());
  }

  private void sendRules(AggregatorStream stream) {
    ZoneDirection message = rules.message();
    if (message != null) {
      stream.send(message);
    }
  }

  /** What follows from what aggregators do. */
  private final class FromAggregators implements Aggregators.Events {

    @Override
    public void connected(AggregatorStream stream) {
      stream.send(aggregatorHello());
      sendRules(stream);
    }

    @Override
    public void identified() {
      review();
      if (!learning.isOver()) {
        loop.schedule(settings.learningMax().toNanos(), Controller.this::review);
      }
    }

    @Override
    public void reported(AggregatorStream stream, boolean first, boolean urgent) {
      metrics.countReport();
      if (urgent) {
        exportUrgently = true;
        judgeSoon();
      }
      boolean wasOver = learning.isOver();
      review();
      // A stream that joins while others are judged need not wait for the tick.
      if (first && wasOver) {
        judgeSoon();
      }
    }

    @Override
    public void ready(AggregatorStream stream) {
      if (learning.isOver()) {
        stream.push(rules.version(), ttlMillis, false);
      }
    }
  }
}
