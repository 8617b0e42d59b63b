package io.headgate.control.aggregator;

import io.headgate.core.time.EventLoop;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the one controller whose rules and directives are handed down, and stays with it as long
 * as it is there. All replicas of a region judge the same reports, so it does not matter which one
 * it is, only that it is one at a time.
 */
final class Following {

  private static final Logger logger = LoggerFactory.getLogger(Aggregator.class);

  /** For how many report intervals a controller may be silent before another one is followed. */
  private static final int SILENT_INTERVALS = 3;

  private final long patienceNanos;
  private final EventLoop loop;
  private final AggregatorMetrics metrics;
  private final RulesInForce rules;
  private final DirectivesInForce directives;
  private final AgentStreams agents;
  private final BucketTable table;
  private final RuleTallies tallies;

  private List<ControllerLink> controllers = List.of();
  private @Nullable ControllerLink followed;
  private volatile boolean ready;

  Following(
      AggregatorSettings settings,
      EventLoop loop,
      AggregatorMetrics metrics,
      RulesInForce rules,
      DirectivesInForce directives,
      AgentStreams agents,
      BucketTable table,
      RuleTallies tallies) {
    patienceNanos = SILENT_INTERVALS * settings.intervalNanos();
    this.loop = loop;
    this.metrics = metrics;
    this.rules = rules;
    this.directives = directives;
    this.agents = agents;
    this.table = table;
    this.tallies = tallies;
  }

  /** The controllers among which it chooses; of two that are as good, it takes the first. */
  void controllers(List<ControllerLink> controllers) {
    this.controllers = controllers;
  }

  /** The controller whose directives are handed down, or null if there is none. */
  @Nullable ControllerLink followed() {
    return followed;
  }

  /** Whether there is one, and rules. May be called from any thread. */
  boolean isReady() {
    return ready;
  }

  /** A controller said something. */
  void heard(ControllerLink controller, ControllerStream stream) {
    rules.heard(stream.rules(), loop.nanoTime());
    boolean moved = review();
    if (moved || controller == followed) {
      handDown();
    }
  }

  /** A controller is gone. */
  void lost() {
    if (review()) {
      handDown();
    }
  }

  /** Looks for what time alone changes. */
  void tick() {
    directives.expire(loop.nanoTime());
    review();
    handDown();
  }

  /** Chooses again, and says whether another controller is followed now. */
  private boolean review() {
    ControllerLink best = choose(loop.nanoTime());
    boolean moved = best != followed;
    if (moved) {
      if (followed != null) {
        followed.showFollowed(false);
      }
      if (best != null) {
        best.showFollowed(true);
        logger.info("Follows controller {}", best.address());
      } else {
        logger.warn("Follows no controller: none is connected; directives run out");
      }
      followed = best;
      metrics.moved();
    }
    ready = followed != null && rules.isKnown();
    return moved;
  }

  private @Nullable ControllerLink choose(long nowNanos) {
    ControllerLink best = followed;
    if (best != null && rank(best, nowNanos) == Rank.JUDGES) {
      return best;
    }
    for (ControllerLink controller : controllers) {
      if (best == null || isBetter(controller, best, nowNanos)) {
        best = controller;
      }
    }
    return best == null || best.stream() == null ? null : best;
  }

  private boolean isBetter(ControllerLink one, ControllerLink other, long nowNanos) {
    int byRank = rank(one, nowNanos).compareTo(rank(other, nowNanos));
    return byRank != 0 ? byRank > 0 : version(one) > version(other);
  }

  /** How much a controller is worth following, from worst to best. */
  private enum Rank {
    GONE,
    SILENT,
    LEARNING,
    JUDGES
  }

  private Rank rank(ControllerLink controller, long nowNanos) {
    ControllerStream stream = controller.stream();
    if (stream == null) {
      return Rank.GONE;
    }
    if (nowNanos - stream.heardNanos() > patienceNanos) {
      return Rank.SILENT;
    }
    return stream.isLearning() ? Rank.LEARNING : Rank.JUDGES;
  }

  private static long version(ControllerLink controller) {
    ControllerStream stream = controller.stream();
    return stream == null ? 0 : stream.rules().version();
  }

  /** Puts what the followed controller has said in force, as far as it is not outdated. */
  private void handDown() {
    ControllerStream stream = followed == null ? null : followed.stream();
    if (stream == null) {
      return;
    }
    long nowNanos = loop.nanoTime();
    if (rules.take(stream.rules(), nowNanos)) {
      logger.info(
          "Rules of config version {} are in force ({} services)",
          rules.get().version(),
          rules.get().services().size());
      tallies.keep(rules.get());
      table.rules(rules.get());
      agents.rulesChanged();
      ready = true;
    }
    metrics.configVersion(rules.get().version());
    if (stream.judges(nowNanos)
        && rules.isEqual(stream.rules())
        && stream.directivesVersion() >= stream.rules().version()) {
      if (directives.replace(stream.directives(), stream.directivesUntilNanos())) {
        agents.directivesChanged();
      }
    }
  }
}
