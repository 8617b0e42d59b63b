package io.headgate.control.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.controller.ZoneDemand.Incarnation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * The zone's demand against a model that knows each client by itself: where it is, and whether its
 * aggregator has been lost so long ago that it no longer counts.
 */
class ZoneDemandPropertyTest {

  private static final long INTERVAL = 1_000;
  private static final long HOLD = 5 * INTERVAL / 2;
  private static final double RATE = 10;

  @Property(tries = 300)
  void noClientCountsTwiceHoweverManyAggregatorsAreLost(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 5) int aggregators) {
    Model model = new Model(new Random(seed), aggregators, true);
    for (int step = 0; step < 60; step++) {
      model.step();
      assertThat(model.demand())
          .isBetween(RATE * model.heardClients() - 1e-6, RATE * model.allClients() + 1e-6);
    }
  }

  /**
   * With losses at different times it is not known whose clients have turned up, so here all have
   * found an aggregator before the next is lost.
   */
  @Property(tries = 300)
  void eachClientCountsOnceWhereverItIs(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 5) int aggregators) {
    Model model = new Model(new Random(seed), aggregators, false);
    for (int step = 0; step < 60; step++) {
      model.step();
      assertThat(model.demand()).isCloseTo(RATE * model.countedClients(), within(1e-6));
    }
  }

  /** One run of one aggregator, with the clients it has told of in its last report. */
  private static final class Run {
    final Incarnation incarnation;
    final Set<Integer> clients = new HashSet<>();
    Set<Integer> reported = Set.of();

    Run(String id, long epoch) {
      incarnation = new Incarnation(id, epoch);
    }
  }

  /** A loss: the clients it left behind that have not been reported by others since. */
  private record Loss(Set<Integer> missing, long untilNanos) {}

  private static final class Model {
    private final Random random;
    private final ZoneDemand<Double> zone =
        new ZoneDemand<>(new ZoneDemand.Timing(Long.MAX_VALUE, HOLD, HOLD, 0, HOLD));
    private final List<Run> live = new ArrayList<>();
    private final List<Loss> losses = new ArrayList<>();
    private final List<Integer> homeless = new ArrayList<>();
    private final boolean overlapping;
    private int allClients;
    private long now;
    private long epoch;

    Model(Random random, int aggregators, boolean overlapping) {
      this.random = random;
      this.overlapping = overlapping;
      int client = 0;
      for (int i = 0; i < aggregators; i++) {
        Run run = new Run("aggregator-" + i, ++epoch);
        for (int n = random.nextInt(6); n > 0; n--) {
          run.clients.add(client++);
        }
        live.add(run);
        report(run);
      }
      allClients = client;
    }

    void step() {
      switch (random.nextInt(6)) {
        case 0, 1 -> report(any());
        case 2, 3 -> moveHomeless();
        case 4 -> {
          if (overlapping || (losses.isEmpty() && homeless.isEmpty())) {
            loseOne();
          }
        }
        default -> pass(random.nextLong(INTERVAL));
      }
    }

    double demand() {
      double[] sum = {0};
      zone.forEach((rates, obeying, open) -> sum[0] += (obeying + open) * rates);
      return sum[0];
    }

    long countedClients() {
      Set<Integer> counted = new HashSet<>();
      live.forEach(run -> counted.addAll(run.reported));
      losses.forEach(loss -> counted.addAll(loss.missing));
      return counted.size();
    }

    long heardClients() {
      Set<Integer> heard = new HashSet<>();
      live.forEach(run -> heard.addAll(run.reported));
      return heard.size();
    }

    int allClients() {
      return allClients;
    }

    private Run any() {
      return live.get(random.nextInt(live.size()));
    }

    private void report(Run run) {
      run.reported = Set.copyOf(run.clients);
      losses.forEach(loss -> loss.missing.removeAll(run.reported));
      zone.report(run.incarnation, RATE * run.clients.size(), run.clients.size(), now);
    }

    /** Some clients without an aggregator find another. */
    private void moveHomeless() {
      Collections.shuffle(homeless, random);
      for (int n = random.nextInt(4); n > 0 && !homeless.isEmpty(); n--) {
        any().clients.add(homeless.remove(homeless.size() - 1));
      }
    }

    /** One aggregator dies; a fresh one takes its place. All others have just reported. */
    private void loseOne() {
      live.forEach(this::report);
      Run lost = live.remove(random.nextInt(live.size()));
      zone.lost(lost.incarnation, now);
      homeless.addAll(lost.clients);
      losses.add(new Loss(new HashSet<>(lost.reported), now + HOLD));
      live.add(new Run(lost.incarnation.aggregatorId(), ++epoch));
    }

    private void pass(long nanos) {
      now += nanos;
      losses.removeIf(loss -> now >= loss.untilNanos);
      zone.advance(now);
    }
  }
}
