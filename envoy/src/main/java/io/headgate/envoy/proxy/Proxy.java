package io.headgate.envoy.proxy;

import io.headgate.agent.Gate;
import io.headgate.agent.RelayAgent;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.ServiceRules;
import io.headgate.core.time.EventLoop;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * One proxy: what it counts, what it is to drop, and the agent that stands for it in the loop. It
 * is the same one on all its streams and when these come anew.
 *
 * <p>Lives on the loop, but for what says otherwise: the threads of its streams add what it has
 * counted, in a table that is bounded as the agent's gates are, and never wait.
 */
final class Proxy implements RelayAgent.Listener {

  /** Makes the agent of a proxy. */
  @FunctionalInterface
  interface AgentFactory {

    RelayAgent create(ProxyId id, RelayAgent.Listener listener);
  }

  /** How a procedure of plain HTTP is named, such as {@code GET /transfers}. */
  private static final Pattern METHOD_AND_PATH = Pattern.compile("[A-Za-z-]+ /.*");

  private static final long FORGET_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final ProxyId id;
  private final EventLoop loop;
  private final int maxPairs;
  private final RelayAgent agent;
  private final StageDemand demand;
  private final FlushClock clock;
  private final ConcurrentMap<Gate, PairCounts> pairs = new ConcurrentHashMap<>();
  private final AtomicBoolean settling = new AtomicBoolean();
  private volatile boolean newPairs;
  private volatile int keys;
  private volatile FlushArrival arrival = FlushArrival.NONE;

  // Of the loop.
  private final Set<Gate> seeds = new HashSet<>();
  private final Set<LayerStream> layerStreams = new LinkedHashSet<>();
  private Layer layer = Layer.EMPTY;
  private long unreportedNanos;
  private long layerNumber;
  private boolean layerDue = true;
  private boolean noticeDue;
  private boolean closed;

  // Of whoever keeps proxies, under its lock.
  private volatile int streams;
  private long lastStreamNanos;

  Proxy(
      ProxyId id,
      EventLoop loop,
      AgentFactory agents,
      RandomGenerator random,
      int maxPairs,
      long flushNanos) {
    this.id = id;
    this.loop = loop;
    this.maxPairs = maxPairs;
    demand = new StageDemand(random);
    clock = new FlushClock(flushNanos);
    agent = agents.create(id, this);
  }

  /** Has it take part in the loop; its service's rules come before the first call does. */
  void start() {
    agent.start();
    loop.execute(() -> seed(id.service(), NamePattern.any(), NamePattern.any()));
  }

  ProxyId id() {
    return id;
  }

  RelayAgent agent() {
    return agent;
  }

  // ---- threads of streams

  /**
   * The counts of a caller and procedure; those of others too where the bound is reached.
   *
   * @param caller as the proxy writes it
   * @param procedure likewise
   */
  PairCounts counts(String service, String caller, String procedure, long nowNanos) {
    Spelling spelling = Spelling.of(caller, procedure);
    Gate gate = agent.gate(service, spelling.callerOf(caller), spelling.procedureOf(procedure));
    PairCounts counts = pairs.get(gate);
    if (counts == null) {
      PairCounts made = new PairCounts(gate, nowNanos);
      PairCounts other = pairs.putIfAbsent(gate, made);
      counts = other != null ? other : made;
    }
    if (counts.spell(spelling)) {
      newPairs = true;
    }
    return counts;
  }

  /** A stream of counts begins. */
  void countsBegin() {
    arrival = FlushArrival.NONE;
    loop.execute(clock::streamBegins);
  }

  /**
   * All counts of a message have been added.
   *
   * @param stampMillis when the proxy counted, by its clock
   * @param length how many counters the message had
   */
  void counted(long stampMillis, int length) {
    long nowNanos = loop.nanoTime();
    arrival = arrival.and(stampMillis, length, nowNanos);
    if (settling.compareAndSet(false, true)) {
      loop.schedule(FlushArrival.PAUSE_NANOS, this::settle);
    }
  }

  // ---- the loop

  private void settle() {
    FlushArrival flush = arrival;
    long waitNanos = flush.nanosToComplete(loop.nanoTime());
    if (waitNanos > 0) {
      loop.schedule(Math.min(waitNanos, FlushArrival.PAUSE_NANOS), this::settle);
      return;
    }
    settling.set(false);
    if (closed || clock.isSettled(flush.stampMillis())) {
      return; // what comes after a flush was taken for complete goes with the next one
    }
    unreportedNanos += clock.flushed(flush.stampMillis(), flush.beganNanos());
    if (agent.hasRules()) {
      reportCounts();
    }
  }

  /** Counts that came before there were rules have waited for these. */
  private void reportCounts() {
    if (unreportedNanos == 0 || closed) {
      return;
    }
    for (PairCounts counts : pairs.values()) {
      if (counts.takeChanged()) {
        demand.distribute(counts, agent.buckets(counts.gate()));
      }
    }
    demand.count();
    agent.report(unreportedNanos);
    unreportedNanos = 0;
    if (newPairs) {
      newPairs = false;
      layerChanged();
    }
  }

  @Override
  public void directivesChanged() {
    layerChanged();
  }

  @Override
  public void rulesChanged(ServiceRules rules) {
    for (Rule rule : rules.rules()) {
      if (!rule.perCaller() && !rule.perProcedure()) {
        seed(rules.service(), rule.caller(), rule.procedure());
      }
    }
    demand.forget();
    agent.ask();
    loop.execute(this::reportCounts);
    layerChanged();
  }

  /** Has a bucket that needs no name of the traffic directed before there is any. */
  private void seed(String service, NamePattern caller, NamePattern procedure) {
    if (isPrefix(caller) || isPrefix(procedure)) {
      return;
    }
    Gate gate = agent.gate(service, caller.toString(), procedure.toString());
    seeds.add(gate);
    PairCounts counts = pairs.computeIfAbsent(gate, made -> new PairCounts(made, loop.nanoTime()));
    boolean asPath = !METHOD_AND_PATH.matcher(gate.procedure()).matches();
    counts.spell(new Spelling(false, asPath));
    if (gate.caller().indexOf('/') > 0) {
      counts.spell(new Spelling(true, asPath)); // may be a SPIFFE id
    }
  }

  private static boolean isPrefix(NamePattern pattern) {
    return !pattern.isAny() && pattern.specificity() != Integer.MAX_VALUE;
  }

  private void layerChanged() {
    layerDue = true;
    if (!noticeDue) {
      noticeDue = true;
      loop.execute(
          () -> {
            noticeDue = false;
            List.copyOf(layerStreams).forEach(LayerStream::layerChanged);
          });
    }
  }

  /** What the proxy is to drop now. */
  Layer layer() {
    if (layerDue) {
      layerDue = false;
      Layer now = Layer.of(pairs.values(), agent::buckets);
      if (!now.equals(layer)) {
        layer = now;
        keys = now.size();
        layerNumber++;
      }
    }
    return layer;
  }

  /** Grows with each change of the {@link #layer()}. */
  long layerNumber() {
    return layerNumber;
  }

  void add(LayerStream stream) {
    layerStreams.add(stream);
  }

  void remove(LayerStream stream) {
    layerStreams.remove(stream);
  }

  /** Forgets callers and procedures that have not been seen for long, if room gets scarce. */
  void tidy() {
    if (agent.status().gates() < maxPairs / 2) {
      return;
    }
    long nowNanos = loop.nanoTime();
    agent.retain(
        gate -> {
          PairCounts counts = pairs.get(gate);
          return seeds.contains(gate)
              || counts == null
              || nowNanos - counts.seenNanos() < FORGET_NANOS;
        });
    if (pairs.values().removeIf(counts -> isForgotten(counts, nowNanos))) {
      layerChanged();
    }
  }

  private boolean isForgotten(PairCounts counts, long nowNanos) {
    return !seeds.contains(counts.gate())
        && !counts.gate().isOverflow()
        && nowNanos - counts.seenNanos() >= FORGET_NANOS;
  }

  /** How many callers and procedures are told apart. Any thread. */
  int pairs() {
    return pairs.size();
  }

  /** How many drop ratios were in the layer that was made last. Any thread. */
  int keys() {
    return keys;
  }

  DataPlaneStatus.ProxyStatus status() {
    return new DataPlaneStatus.ProxyStatus(
        id.id(),
        id.service(),
        isConnected(),
        pairs(),
        agent.status().overflowLookups(),
        layer().size(),
        agent.status().aggregator());
  }

  /** Has the aggregator forget it. */
  void close() {
    closed = true;
    agent.close();
  }

  // ---- whoever keeps proxies

  void streamOpened() {
    streams = streams + 1;
  }

  void streamClosed(long nowNanos) {
    streams = streams - 1;
    lastStreamNanos = nowNanos;
  }

  boolean isConnected() {
    return streams > 0;
  }

  boolean isGone(long nowNanos, long patienceNanos) {
    return streams == 0 && nowNanos - lastStreamNanos >= patienceNanos;
  }
}
