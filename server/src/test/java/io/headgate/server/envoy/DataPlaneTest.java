package io.headgate.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.headgate.agent.HeadgateAgent;
import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.envoy.process.EnvoyProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
        - { name: step, match: { procedure: shop.Cart/Add }, limit: 800/s }
        - { name: fast, match: { procedure: fast }, limit: 300/s }
        - { name: mixed, match: { procedure: mixed }, limit: 200/s }
        - { name: shadow, match: { procedure: shadow }, limit: 30/s, behavior: allow }
        - { name: flood, match: { procedure: flood }, limit: 500/s }
        - { name: edited, match: { procedure: edited }, limit: EDITED }
        - { name: pair, match: { caller: greedy, procedure: three }, limit: 600/s }
        - { name: caller, match: { caller: greedy }, limit: 400/s }
        - { name: procedure, match: { procedure: three }, limit: 200/s }
      """;

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration QUARTER = Duration.ofMillis(250);
  private static final int TEN_SECONDS = 100;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Pattern ALLOCATED = Pattern.compile("\"allocated\": \"(\\d+)\"");

  private final Map<String, String> ports = new HashMap<>();
  private Path directory;
  private Fleet fleet;
  private EnvoyProcess one;
  private EnvoyProcess two;
  private EnvoyProcess quick;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    this.directory = directory;
    fleet = new Fleet(directory, RULES.replace("EDITED", "10000/s"));
    String controller = fleet.freeAddress();
    ports.put("eu-1", fleet.freeAddress());
    ports.put("eu-2", fleet.freeAddress());
    fleet.launch(
        "eu-1",
        "--zone=eu-1",
        "--role=controller,aggregator,envoy",
        "--listen=" + controller,
        "--envoy=" + ports.get("eu-1"),
        "--rules=" + fleet.rules(),
        "--expect-aggregators=2");
    fleet.launch(
        "eu-2",
        "--zone=eu-2",
        "--role=aggregator,envoy",
        "--listen=127.0.0.1:0",
        "--envoy=" + ports.get("eu-2"),
        "--controllers=" + controller);
    fleet.await("eu-1");
    fleet.await("eu-2");
    one = envoy("one", "eu-1", SECOND);
    two = envoy("two", "eu-2", SECOND);
    quick = envoy("quick", "eu-1", QUARTER);
  }

  @AfterAll
  void stop() throws Exception {
    if (fleet != null) {
      fleet.close();
    }
  }

  private EnvoyProcess envoy(String id, String zone, Duration flush) {
    return fleet.envoy(
        id,
        EnvoyBinary.NEWEST,
        fleet.bootstrap(id, zone, ports.get(zone)).flush(flush).envoyMinor(40).build(),
        UnaryOperator.identity());
  }

  private static HttpLoad load(EnvoyProcess envoy, String path, double perSecond) {
    return load(envoy, path, () -> "checkout", perSecond);
  }

  private static HttpLoad load(
      EnvoyProcess envoy, String path, Supplier<String> callers, double perSecond) {
    return new HttpLoad(envoy.listener("ingress"), path, callers, perSecond, 3);
  }

  private static void report(String what, Object... figures) {
    System.out.printf("data plane: " + what + "%n", figures);
  }

  /** The time from {@code from} to the end of the first slot with a request limited. */
  private static double secondsToFirstDrop(Load load, int from) {
    await().atMost(PATIENCE).until(() -> load.firstLimited(from, Load.slot()) >= 0);
    return (load.firstLimited(from, Load.slot()) + 1 - from) / Load.SLOTS_PER_SECOND;
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
        AgentLoad judged = new AgentLoad(agent.gate("checkout", "mixed"), 200);
        HttpLoad mixed = load(one, "/mixed", 200);
        HttpLoad shadow = load(two, "/shadow", 60);
        Callers first = new Callers(one, directory, 1_100);
        Callers second = new Callers(two, directory, 440)) {
      await()
          .atMost(PATIENCE)
          .until(() -> Math.min(first.grpc.allPassed(), second.grpc.allPassed()) > 50);
      Load.pass(10);
      assertThat(first.grpc.allLimited() + second.grpc.allLimited()).isZero();
      int step = Load.slot();
      first.step();
      second.step();
      double onFirst = secondsToFirstDrop(first.http, step);
      double onSecond = secondsToFirstDrop(second.http, step);
      report("flush 1 s: first drop %.1f s and %.1f s after the step", onFirst, onSecond);
      assertThat(Math.max(onFirst, onSecond)).isLessThanOrEqualTo(1.5);

      long askedBefore = requestsToHeadgate();
      double messagesBefore = fleet.metric("headgate_envoy_metrics_messages_total", "");
      int watched = Load.slot();
      int from =
          Load.steady(
              step + 10, TEN_SECONDS, first.http, first.grpc, second.http, second.grpc, mixed);
      int to = from + TEN_SECONDS;
      double messages = fleet.metric("headgate_envoy_metrics_messages_total", "") - messagesBefore;
      double messagesInTen = messages * TEN_SECONDS / (Load.slot() - watched);
      assertThat(requestsToHeadgate()).as("requests to Headgate").isEqualTo(askedBefore);
      for (AutoCloseable load : List.of(judged, mixed, shadow, first, second)) {
        load.close();
      }

      long passed = Load.passed(from, to, first.loads()) + Load.passed(from, to, second.loads());
      double shareFirst = Load.dropShare(from, to, first.loads());
      double shareSecond = Load.dropShare(from, to, second.loads());
      long together = Load.passed(from, to, judged, mixed);
      report(
          "two Envoys, wrk and a gRPC client: %d of 8000 admitted in 10 s, shares %.4f and %.4f",
          passed, shareFirst, shareSecond);
      report("an Envoy and an agent: %d of 2000 admitted in 10 s", together);
      assertThat(passed).isCloseTo(8_000, within(240L));
      assertThat(shareFirst).isCloseTo(shareSecond, within(0.02));
      for (Callers callers : List.of(first, second)) {
        assertThat(callers.grpc.limited(from, to)).as("RESOURCE_EXHAUSTED").isPositive();
        assertThat(callers.loads()[2].limited(from, to)).as("wrk's 429s").isPositive();
      }
      assertThat(together).isCloseTo(2_000, within(100L));
      assertThat(messagesInTen).isLessThan(passed / 100.0);
      assertThat(shadow.allLimited()).isZero();

      long sent = first.sent() + second.sent();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                // When it ends, wrk forgets the request that each of its connections waits for.
                assertThat(fleet.counted("step", "offered")).isBetween((double) sent, sent + 10.0);
                assertThat(fleet.counted("mixed", "offered"))
                    .isEqualTo(mixed.sent() + agent.bucketCounts().get(0).offered());
                assertThat(fleet.counted("mixed", "dropped"))
                    .isEqualTo(mixed.allLimited() + judged.allLimited());
                assertThat(fleet.counted("shadow", "offered")).isEqualTo(shadow.sent());
              });
      assertThat(fleet.counted("shadow", "would_drop")).isGreaterThan(0.3 * shadow.sent());
      assertThat(failed(mixed, shadow) + failed(first.loads()) + failed(second.loads())).isZero();
      report(
          "%d requests sent and offered as reported, %.0f messages of counters in the 10 s",
          sent + mixed.sent() + judged.sent() + shadow.sent(), messages);
    }
  }

  /** How many the Envoys have made in all: a stream is one. */
  private long requestsToHeadgate() {
    return one.stat("cluster.headgate.upstream_rq_total")
        + two.stat("cluster.headgate.upstream_rq_total");
  }

  private static long failed(Load... loads) {
    long failed = 0;
    for (Load load : loads) {
      failed += load.failed();
    }
    return failed;
  }

  @Test
  @Order(2)
  void withAFlushEachQuarterOfASecondAStepIsEnforcedSooner() throws Exception {
    try (HttpLoad load = load(quick, "/fast", 50)) {
      Load.pass(15);
      int step = Load.slot();
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
    long memoryBefore = allocated(two);
    String[] keys = {"pair|shop|greedy|/three", "caller|shop|greedy", "procedure|shop|/three"};
    try (HttpLoad three = load(one, "/three", () -> "greedy", 1_000);
        HttpLoad flood =
            load(two, "/flood", () -> "stranger-" + Long.toHexString(random.nextLong()), 2_000)) {
      await()
          .atMost(PATIENCE)
          .until(() -> RatiosInForce.of(one).keySet().containsAll(List.of(keys)));
      await().atMost(PATIENCE).until(() -> flood.allLimited() > 0);
      Load.pass(15);
      int from = Load.slot();
      Stretches stretches = new Stretches(one, three, keys);
      await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .until(
              () -> {
                stretches.observe();
                return stretches.count() >= 7 && flood.sent() > 11_000;
              });
      int to = Load.slot();
      report("three stages: %s", stretches.assertThatRatiosMultiply());

      double seconds = (to - from) / Load.SLOTS_PER_SECOND;
      double perSecond = flood.passed(from, to) / seconds;
      report(
          "%d callers, none seen before: %.0f/s of %.0f/s admitted (limit 500), %.0f pairs on the"
              + " servers",
          flood.sent(),
          perSecond,
          (flood.passed(from, to) + flood.limited(from, to)) / seconds,
          fleet.metric("headgate_envoy_pairs", ""));
      assertThat(perSecond).isCloseTo(500, within(60.0));
      assertThat(failed(three, flood)).isZero();
      assertThatMemoryIsBounded(flood.sent(), allocated(two) - memoryBefore);
    }
  }

  /** That of Envoy by what it has for each, until it forgets them; that of Headgate by a bound. */
  private void assertThatMemoryIsBounded(long callers, long envoyBytes) {
    double pairs = fleet.metric("headgate_envoy_pairs", "");
    double ofAggregators = fleet.metric("headgate_aggregator_buckets", "");
    double ofController = fleet.metric("headgate_controller_buckets", "");
    report(
        "%d callers: %d bytes in Envoy, %d keys there; %.0f pairs, %.0f and %.0f buckets in"
            + " Headgate",
        callers, envoyBytes, two.stat("runtime.num_keys"), pairs, ofAggregators, ofController);
    assertThat(callers).isGreaterThan(10_000);
    assertThat(envoyBytes).isLessThan(callers * 1_024);
    assertThat(two.stat("runtime.num_keys")).isLessThan(10);
    assertThat(pairs).isLessThan(10_100);
    assertThat(ofAggregators).isLessThan(50);
    assertThat(ofController).isLessThan(50);
  }

  private static long allocated(EnvoyProcess envoy) {
    Matcher allocated = ALLOCATED.matcher(envoy.get("/memory"));
    assertThat(allocated.find()).isTrue();
    return Long.parseLong(allocated.group(1));
  }

  @Test
  @Order(4)
  void anEditOfARuleActs() throws Exception {
    try (HttpLoad edited = load(one, "/edited", 300)) {
      Load.pass(15);
      assertThat(edited.allLimited()).isZero();
      int from = Load.slot();
      fleet.rules(RULES.replace("EDITED", "100/s"));
      double seconds = secondsToFirstDrop(edited, from);
      report("edit of a rule: first drop after %.1f s", seconds);
      assertThat(seconds).isLessThanOrEqualTo(3);
    }
  }

  @Test
  @Order(5)
  void anEnvoyThatIsRestartedDropsAtOnceAndIsCountedOnce() throws Exception {
    double offered = fleet.counted("fast", "offered");
    HttpLoad before = load(quick, "/fast", 900);
    await().atMost(PATIENCE).until(() -> before.allLimited() > 300);
    quick.kill();
    before.close();
    quick = envoy("quick", "eu-1", QUARTER);
    try (HttpLoad load = load(quick, "/fast", 900)) {
      await().atMost(PATIENCE).until(() -> load.answered() >= 50);
      double share = (double) load.allLimited() / load.answered();
      report("Envoy restarted: %.2f of its first requests are dropped", share);
      // Two thirds, in force before the first: 50 draws are off by 0.25 once in 10,000 times.
      assertThat(share).isCloseTo(2 / 3.0, within(0.25));
      int from = Load.pass(15);
      double passedPerSecond = load.passed(from, from + 15) / 1.5;
      assertThat(passedPerSecond).isCloseTo(300, within(90.0));
      load.close();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(fleet.counted("fast", "offered") - offered)
                      .isGreaterThanOrEqualTo(load.sent()));
      assertThat(fleet.counted("fast", "offered") - offered)
          .isLessThanOrEqualTo(before.sent() + load.sent());
    }
  }

  @Test
  @Order(6)
  void withoutTheControlPlaneEverythingPassesAndWithItLimitsAreBack() throws Exception {
    try (HttpLoad stopped = load(quick, "/fast", 900);
        HttpLoad killed = load(two, "/shop.Cart/Add", 1_600)) {
      await().atMost(PATIENCE).until(() -> killed.allLimited() > 0 && stopped.allLimited() > 0);
      Load.pass(10);
      long failedBefore = failed(killed, stopped);
      fleet.server("eu-2").kill();
      int killedFrom = Load.slot();
      fleet.server("eu-1").suspend();
      int stoppedFrom = Load.slot();

      long startNanos = System.nanoTime();
      EnvoyProcess late = envoy("late", "eu-2", SECOND);
      double startSeconds = (System.nanoTime() - startNanos) / 1e9;
      report("an Envoy without control plane serves after %.1f s", startSeconds);
      try (HttpLoad passing = load(late, "/fast", 50)) {
        Load.pass(104 - (Load.slot() - killedFrom));
        int killedEnd = killed.lastLimited() - killedFrom;
        int stoppedEnd = stopped.lastLimited() - stoppedFrom;
        report(
            "control plane killed: drops until %.1f s, stopped: until %.1f s",
            killedEnd / Load.SLOTS_PER_SECOND, stoppedEnd / Load.SLOTS_PER_SECOND);
        assertThat(killedEnd).isBetween(60, 102);
        assertThat(stoppedEnd).isBetween(60, 102);
        assertThat(failed(killed, stopped)).isEqualTo(failedBefore);
        assertThat(passing.failed() + passing.allLimited()).isZero();
      }

      int stoppedBack = Load.slot();
      fleet.server("eu-1").resume();
      double afterStop = secondsToFirstDrop(stopped, stoppedBack);
      fleet.launchAgain("eu-2");
      fleet.await("eu-2");
      int killedServes = Load.slot();
      fleet.awaitReadiness("eu-2");
      int killedBack = Load.slot();
      double afterKill = secondsToFirstDrop(killed, killedServes);
      report(
          "limits are back %.1f s after the stopped server runs on, %.1f s after the killed one"
              + " listens again, which is ready %.1f s after that",
          afterStop, afterKill, (killedBack - killedServes) / Load.SLOTS_PER_SECOND);
      assertThat(afterStop).isLessThanOrEqualTo(1.5);
      assertThat(afterKill).isLessThanOrEqualTo(1.5);
      assertThat(failed(killed, stopped)).isEqualTo(failedBefore);
      assertThat(startSeconds).isLessThanOrEqualTo(1.5);
    }
  }
}
