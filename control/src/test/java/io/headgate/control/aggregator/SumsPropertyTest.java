package io.headgate.control.aggregator;

import static io.headgate.control.aggregator.Samples.SECOND_NANOS;
import static io.headgate.control.aggregator.Samples.bucket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.core.rule.BucketKey;
import io.headgate.protocol.v1.Report;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/** The sums are those of a model that adds up what each client last said, and nothing more. */
final class SumsPropertyTest {

  private static final int CLIENTS = 4;
  private static final int CALLERS = 5;
  private static final long TICK_MILLIS = 1000;

  /** Something that happens to one of the clients. */
  private sealed interface Step {

    /** It reports these counts by caller, over this time. */
    record Reports(int client, Map<Integer, Integer> counts, int elapsedMillis) implements Step {}

    /** Its last report arrives once more. */
    record Repeats(int client) implements Step {}

    /** It sends something that makes no sense. */
    record Poisons(int client) implements Step {}

    /** It says goodbye and ends. */
    record Leaves(int client) implements Step {}

    /** Its connection breaks. */
    record Breaks(int client) implements Step {}

    /** It opens another stream. */
    record Reconnects(int client) implements Step {}

    /** It starts anew. */
    record Restarts(int client) implements Step {}

    /** Time passes. */
    record Passes(int millis) implements Step {}
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Integer> client = Arbitraries.integers().between(0, CLIENTS - 1);
    Arbitrary<Map<Integer, Integer>> counts =
        Arbitraries.maps(
                Arbitraries.integers().between(0, CALLERS - 1),
                Arbitraries.integers().between(0, 10_000))
            .ofMaxSize(CALLERS);
    Arbitrary<Step> reports =
        Combinators.combine(client, counts, Arbitraries.integers().between(1, 5_000))
            .as(Step.Reports::new);
    return Arbitraries.frequencyOf(
            Tuple.of(8, reports),
            Tuple.of(6, Arbitraries.integers().between(1, 3_000).map(Step.Passes::new)),
            Tuple.of(1, client.map(Step.Repeats::new)),
            Tuple.of(1, client.map(Step.Poisons::new)),
            Tuple.of(1, client.map(Step.Leaves::new)),
            Tuple.of(1, client.map(Step.Breaks::new)),
            Tuple.of(1, client.map(Step.Reconnects::new)),
            Tuple.of(1, client.map(Step.Restarts::new)))
        .list()
        .ofMinSize(1)
        .ofMaxSize(60);
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void sumsAreThoseOfTheModel(@ForAll("steps") List<Step> steps) {
    // All draws are 0, so that it sums at each whole second from now on.
    AggregatorWorld world = new AggregatorWorld(1, settings -> settings, () -> 0);
    world.controller().join(Samples.payments(1));
    Model[] models = new Model[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
      models[i] = new Model("client-" + i);
    }
    long nowMillis = 0;
    for (Step step : steps) {
      if (step instanceof Step.Passes passes) {
        long endMillis = nowMillis + passes.millis();
        while (nowMillis / TICK_MILLIS < endMillis / TICK_MILLIS) {
          long tickMillis = (nowMillis / TICK_MILLIS + 1) * TICK_MILLIS;
          world.runFor(tickMillis - nowMillis);
          nowMillis = tickMillis;
          world.controller().heartbeat();
          check(world, models, nowMillis);
        }
        world.runFor(endMillis - nowMillis);
        nowMillis = endMillis;
      } else {
        apply(world, models, step, nowMillis);
      }
    }
    world.runFor(TICK_MILLIS - nowMillis % TICK_MILLIS);
    check(world, models, nowMillis + TICK_MILLIS - nowMillis % TICK_MILLIS);
  }

  private static void apply(AggregatorWorld world, Model[] models, Step step, long nowMillis) {
    if (step instanceof Step.Reports reports) {
      models[reports.client()].report(world, reports.counts(), reports.elapsedMillis(), nowMillis);
    } else if (step instanceof Step.Repeats repeats) {
      models[repeats.client()].repeat();
    } else if (step instanceof Step.Poisons poisons) {
      models[poisons.client()].poison();
    } else if (step instanceof Step.Leaves leaves) {
      models[leaves.client()].leave();
    } else if (step instanceof Step.Breaks breaks) {
      models[breaks.client()].breakOff(nowMillis);
    } else if (step instanceof Step.Reconnects reconnects) {
      models[reconnects.client()].connect(world);
    } else if (step instanceof Step.Restarts restarts) {
      models[restarts.client()].restart(world);
    }
  }

  private static void check(AggregatorWorld world, Model[] models, long nowMillis) {
    Map<BucketKey, Double> expected = new HashMap<>();
    for (Model model : models) {
      model.addTo(expected, nowMillis);
    }
    Map<BucketKey, Double> actual = world.controller().offered();
    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (key, rate) -> assertThat(actual.get(key)).isCloseTo(rate, within(1e-9 * rate)));
  }

  /** A client, and what of it must count. */
  private static final class Model {

    private final String clientId;
    private long epoch = 1;
    private long sequence;
    private @Nullable FakeAgent agent;
    private Set<Integer> defined = new HashSet<>();
    private Report.@Nullable Builder last;

    private Map<Integer, Double> rates = Map.of();
    private double untilMillis = -1;

    Model(String clientId) {
      this.clientId = clientId;
    }

    void connect(AggregatorWorld world) {
      agent = world.connect(clientId, epoch);
      defined = new HashSet<>();
      last = null;
    }

    void restart(AggregatorWorld world) {
      boolean wasConnected = agent != null;
      epoch++;
      sequence = 0;
      if (wasConnected || untilMillis >= 0) {
        rates = Map.of();
      }
      connect(world);
    }

    void report(
        AggregatorWorld world, Map<Integer, Integer> counts, int elapsedMillis, long nowMillis) {
      if (agent == null) {
        connect(world);
      }
      Report.Builder report =
          Report.newBuilder().setSequence(++sequence).setElapsedNanos(elapsedMillis * 1_000_000L);
      rates = new HashMap<>();
      counts.forEach(
          (caller, count) -> {
            if (defined.add(caller)) {
              report.addDefine(bucket(caller + 1, "each", "caller-" + caller));
            }
            report.addBucket(caller + 1).addOffered(count);
            rates.put(caller, count * 1000.0 / elapsedMillis);
          });
      untilMillis = nowMillis + 2500;
      agent.report(report);
      last = Report.newBuilder(report.build()).clearDefine();
    }

    void repeat() {
      if (agent != null && last != null) {
        agent.report(last);
      }
    }

    void poison() {
      if (agent != null) {
        agent.report(
            Report.newBuilder()
                .setSequence(sequence + 1)
                .setElapsedNanos(SECOND_NANOS)
                .addBucket(99)
                .addOffered(1L << 62));
      }
    }

    void leave() {
      if (agent != null) {
        agent.goodbye();
        agent.breakOff();
        agent = null;
        rates = Map.of();
      }
    }

    void breakOff(long nowMillis) {
      if (agent != null) {
        agent.breakOff();
        agent = null;
        untilMillis = Math.min(untilMillis, nowMillis + 1000);
      }
    }

    void addTo(Map<BucketKey, Double> sums, long nowMillis) {
      if (nowMillis >= untilMillis) {
        rates = Map.of();
      }
      rates.forEach(
          (caller, rate) -> {
            if (rate > 0) {
              sums.merge(
                  new BucketKey("payments", "each", "caller-" + caller, ""), rate, Double::sum);
            }
          });
    }
  }
}
