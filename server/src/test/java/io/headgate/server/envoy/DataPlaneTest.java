package io.headgate.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headgate.agent.Gate;
import io.headgate.agent.HeadgateAgent;
import io.headgate.envoy.process.EnvoyProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Unmodified Envoys in two zones, before one service whose limits they keep together. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DataPlaneTest {

  private static final String RULES =
      """
      service: shop
      rules:
        - { name: step, match: { procedure: step }, limit: 800/s }
        - { name: fast, match: { procedure: fast }, limit: 300/s }
        - { name: mixed, match: { procedure: mixed }, limit: 400/s }
        - { name: shadow, match: { procedure: shadow }, limit: 100/s, behavior: allow }
        - { name: flood, match: { procedure: flood }, limit: 500/s }
        - { name: edited, match: { procedure: edited }, limit: EDITED }
        - { name: pair, match: { caller: greedy, procedure: three }, limit: 600/s }
        - { name: caller, match: { caller: greedy }, limit: 400/s }
        - { name: procedure, match: { procedure: three }, limit: 200/s }
      """;

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration QUARTER = Duration.ofMillis(250);

  private static final int SAMPLES = 10;

  private Fleet fleet;
  private EnvoyProcess one;
  private EnvoyProcess two;
  private EnvoyProcess quick;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    fleet = new Fleet(directory, RULES.replace("EDITED", "10000/s"));
    one = fleet.envoy("one", "eu-1", SECOND);
    two = fleet.envoy("two", "eu-2", SECOND);
    quick = fleet.envoy("quick", "eu-1", QUARTER);
  }

  @AfterAll
  void stop() throws Exception {
    if (fleet != null) {
      fleet.close();
    }
  }

  private static void report(String what, Object... figures) {
    System.out.printf("data plane: " + what + "%n", figures);
  }

  private static void pass(double seconds) throws InterruptedException {
    TimeUnit.MICROSECONDS.sleep((long) (seconds * 1e6));
  }

  /** The slots since {@code from} until the first with a request limited. */
  private static double secondsToFirstDrop(Load load, int from) {
    await().atMost(Duration.ofSeconds(10)).until(() -> load.limited(from, load.slot()) > 0);
    int slot = from;
    while (load.limited(slot, slot + 1) == 0) {
      slot++;
    }
    return (slot + 1 - from) / 10.0;
  }

  @Test
  @Order(1)
  void twoEnvoysAndAnAgentKeepLimitsTogetherAndEveryRequestIsCountedOnce() throws Exception {
    try (HeadgateAgent agent =
            HeadgateAgent.builder()
                .service("shop")
                .region("eu")
                .zone("eu-2")
                .aggregators(fleet.server("eu-2").grpcAddress())
                .build();
        Load a = fleet.load(one, "/step", 100, 4);
        Load b = fleet.load(two, "/step?customer=7", 50, 2);
        Load mixed = fleet.load(one, "/mixed", 400, 1);
        Load shadow = fleet.load(two, "/shadow", 200, 1)) {
      Gate gate = agent.gate("checkout", "mixed");
      AtomicLong admitted = new AtomicLong();
      Thread judging = judge(gate, 400, admitted);
      pass(2);
      int stepA = a.slot();
      int stepB = b.slot();
      a.rate(1_600);
      b.rate(800);
      double onA = secondsToFirstDrop(a, stepA);
      double onB = secondsToFirstDrop(b, stepB);
      report("flush 1 s: first drop %.1f s and %.1f s after the step", onA, onB);
      assertThat(Math.max(onA, onB)).isLessThanOrEqualTo(1.5);
      pass(2.5);
      int fromA = a.slot();
      int fromB = b.slot();
      int fromMixed = mixed.slot();
      long before = admitted.get();
      pass(10);
      long passed = a.passed(fromA, fromA + 100) + b.passed(fromB, fromB + 100);
      double shareA = a.dropShare(fromA, fromA + 100);
      double shareB = b.dropShare(fromB, fromB + 100);
      long together = admitted.get() - before + mixed.passed(fromMixed, fromMixed + 100);
      judging.interrupt();
      judging.join();
      report(
          "two Envoys: %d of 8000 admitted in 10 s, shares %.4f and %.4f", passed, shareA, shareB);
      report("an Envoy and an agent: %d of 4000 admitted in 10 s", together);
      assertThat(passed).isCloseTo(8_000, within(240L));
      assertThat(shareA).isCloseTo(shareB, within(0.02));
      assertThat(together).isCloseTo(4_000, within(200L));
      assertThat(shadow.allLimited()).isZero();

      a.close();
      b.close();
      mixed.close();
      shadow.close();
      await()
          .atMost(Duration.ofSeconds(5))
          .untilAsserted(
              () -> {
                assertThat(rule("step", "offered")).isEqualTo(a.sent() + b.sent());
                assertThat(rule("step", "dropped")).isEqualTo(a.allLimited() + b.allLimited());
                assertThat(rule("mixed", "offered") - mixed.sent())
                    .isEqualTo(agent.bucketCounts().get(0).offered());
                assertThat(rule("shadow", "offered")).isEqualTo(shadow.sent());
              });
      assertThat(rule("shadow", "would.drop")).isGreaterThan(0.3 * shadow.sent());
      assertThat(a.failed() + b.failed() + mixed.failed() + shadow.failed()).isZero();
      report(
          "%d requests sent and offered as reported, %.0f messages of counters for them",
          a.sent() + b.sent() + mixed.sent() + shadow.sent(),
          fleet.metric("headgate_envoy_metrics_messages_total", ""));
    }
  }

  /** What the aggregators of both zones have counted of a rule. */
  private double rule(String rule, String what) {
    return fleet.metric(
        "headgate_rule_" + what.replace('.', '_') + "_total", "rule=\"" + rule + "\"");
  }

  private static Thread judge(Gate gate, double perSecond, AtomicLong admitted) {
    Thread thread =
        new Thread(
            () -> {
              long dueNanos = System.nanoTime();
              while (!Thread.currentThread().isInterrupted()) {
                long nowNanos = System.nanoTime();
                while (dueNanos < nowNanos) {
                  dueNanos += (long) (1e9 / perSecond);
                  if (gate.judge().admitted()) {
                    admitted.incrementAndGet();
                  }
                }
                LockSupport.parkNanos(1_000_000);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Test
  @Order(2)
  void withAFlushEachQuarterOfASecondAStepIsEnforcedSooner() throws Exception {
    try (Load load = fleet.load(quick, "/fast", 50, 2)) {
      pass(2);
      int step = load.slot();
      load.rate(900);
      double seconds = secondsToFirstDrop(load, step);
      report("flush 250 ms: first drop %.1f s after the step", seconds);
      assertThat(seconds).isLessThanOrEqualTo(0.6);
    }
  }

  @Test
  @Order(3)
  void stagesMultiplyAndCallersNeverSeenDoNotPassAWideLimit() throws Exception {
    SplittableRandom random = new SplittableRandom(3);
    try (Load three = new Load(one.listener("ingress"), "/three", () -> "greedy", 1_000, 3);
        Load flood =
            new Load(
                two.listener("ingress"),
                "/flood",
                () -> "stranger-" + Long.toHexString(random.nextLong()),
                1_500,
                3)) {
      pass(3.5);
      int from = three.slot();
      int floodFrom = flood.slot();
      double product = 0;
      for (int sample = 0; sample < SAMPLES; sample++) {
        product += product() / SAMPLES;
        pass(3.5 / SAMPLES);
      }
      double passedShare = 1 - three.dropShare(from, from + 35);
      report("three stages: %.4f admitted, product of the ratios %.4f", passedShare, product);
      // Four standard deviations of 3,500 draws at one in five.
      assertThat(passedShare).isCloseTo(product, within(0.025));
      double floodShare = flood.dropShare(floodFrom, floodFrom + 35);
      report(
          "%d callers, none seen before: %.3f dropped (0.667 expected), %.0f pairs on the servers",
          flood.sent(), floodShare, fleet.metric("headgate_envoy_pairs", ""));
      assertThat(floodShare).isCloseTo(2 / 3.0, within(0.04));
      assertThat(flood.sent()).isGreaterThan(10_000);
      assertThat(fleet.metric("headgate_envoy_pairs", "")).isLessThan(10_100);
      assertThat(three.failed() + flood.failed()).isZero();
    }
  }

  private double product() throws Exception {
    return (1 - dropRatio("pair")) * (1 - dropRatio("caller")) * (1 - dropRatio("procedure"));
  }

  @Test
  @Order(4)
  void anEditOfARuleActs() throws Exception {
    try (Load edited = fleet.load(one, "/edited", 300, 1)) {
      pass(1.5);
      assertThat(edited.allLimited()).isZero();
      int from = edited.slot();
      fleet.rules(RULES.replace("EDITED", "100/s"));
      double seconds = secondsToFirstDrop(edited, from);
      report("edit of a rule: first drop after %.1f s", seconds);
      assertThat(seconds).isLessThanOrEqualTo(3);
    }
  }

  private double dropRatio(String rule) throws Exception {
    JsonNode status = new ObjectMapper().readTree(fleet.get(fleet.server("eu-1"), "/status"));
    for (JsonNode bucket : status.path("controller").path("buckets")) {
      if (bucket.path("rule").asText().equals(rule)) {
        return bucket.path("dropRatio").asDouble();
      }
    }
    throw new AssertionError("no bucket of rule " + rule);
  }

  @Test
  @Order(5)
  void anEnvoyThatIsRestartedDropsAtOnceAndIsCountedOnce() throws Exception {
    double offered = rule("fast", "offered");
    double sent;
    try (Load load = fleet.load(quick, "/fast", 900, 2)) {
      pass(1.5);
      sent = load.sent();
    }
    await()
        .atMost(Duration.ofSeconds(3))
        .untilAsserted(() -> assertThat(rule("fast", "offered") - offered).isEqualTo(sent));
    Load before = fleet.load(quick, "/fast", 900, 2);
    pass(1);
    quick.kill();
    before.close();
    quick = fleet.envoy("quick", "eu-1", QUARTER);
    try (Load load = fleet.load(quick, "/fast", 900, 2)) {
      double seconds = secondsToFirstDrop(load, 0);
      report("Envoy restarted: first drop %.1f s after its first request", seconds);
      assertThat(seconds).isLessThanOrEqualTo(0.3);
      pass(2.5);
      double reported = rule("fast", "offered") - offered;
      assertThat(reported).isLessThanOrEqualTo(sent + before.sent() + load.sent());
      assertThat(load.dropShare(15, 25)).isCloseTo(2 / 3.0, within(0.1));
    }
  }

  @Test
  @Order(6)
  void withoutTheControlPlaneEverythingPassesAndWithItLimitsAreBack() throws Exception {
    try (Load stopped = fleet.load(quick, "/fast", 900, 2);
        Load killed = fleet.load(two, "/step", 1_600, 4)) {
      pass(2);
      assertThat(killed.limited(killed.slot() - 10, killed.slot())).isPositive();
      assertThat(stopped.limited(stopped.slot() - 10, stopped.slot())).isPositive();
      long failedBefore = killed.failed() + stopped.failed();
      fleet.server("eu-2").kill();
      int killedFrom = killed.slot();
      signal("STOP", fleet.server("eu-1").process().pid());
      int stoppedFrom = stopped.slot();

      long startNanos = System.nanoTime();
      EnvoyProcess late = fleet.envoy("late", "eu-2", SECOND);
      double startSeconds = (System.nanoTime() - startNanos) / 1e9;
      report("an Envoy without control plane serves after %.1f s", startSeconds);
      try (Load passing = fleet.load(late, "/fast", 50, 1)) {
        pass(10.4 - (killed.slot() - killedFrom) / 10.0);
        int killedEnd = lastDrop(killed) - killedFrom;
        int stoppedEnd = lastDrop(stopped) - stoppedFrom;
        report(
            "control plane killed: drops until %.1f s, stopped: until %.1f s",
            killedEnd / 10.0, stoppedEnd / 10.0);
        assertThat(killedEnd).isBetween(60, 102);
        assertThat(stoppedEnd).isBetween(60, 102);
        assertThat(killed.failed() + stopped.failed()).isEqualTo(failedBefore);
        assertThat(passing.failed() + passing.allLimited()).isZero();
      }

      int stoppedBack = stopped.slot();
      signal("CONT", fleet.server("eu-1").process().pid());
      double afterStop = secondsToFirstDrop(stopped, stoppedBack);
      fleet.launch("eu-2");
      fleet.await("eu-2");
      int killedBack = killed.slot();
      double afterKill = secondsToFirstDrop(killed, killedBack);
      report(
          "limits are back %.1f s after the stopped server runs on, %.1f s after the killed one"
              + " serves again",
          afterStop, afterKill);
      assertThat(afterStop).isLessThanOrEqualTo(1.5);
      assertThat(afterKill).isLessThanOrEqualTo(1.5);
      assertThat(killed.failed() + stopped.failed()).isEqualTo(failedBefore);
      assertThat(startSeconds).isLessThanOrEqualTo(1.5);
    }
  }

  private static int lastDrop(Load load) {
    int slot = load.slot();
    while (slot > 0 && load.limited(slot, slot + 1) == 0) {
      slot--;
    }
    return slot;
  }

  private static void signal(String signal, long pid) throws Exception {
    new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
  }
}
