package io.headgate.keyed.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.limit.SlidingLog;
import io.headgate.fixtures.FreePorts;
import io.headgate.keyed.Hit;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.NamedLimit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Redis Cluster and a real Sentinel, each of which loses a master. */
@Tag("process")
class FailoverTest {

  private static final int KEYS = 100;
  private static final NamedLimit FIVE =
      NamedLimit.of("transfers", new SlidingLog(5, Duration.ofHours(1)));

  private final List<AutoCloseable> running = new ArrayList<>();

  @Test
  void aClusterGoesOnWithoutOneOfItsMasters() throws Exception {
    try (RedisCluster cluster = RedisCluster.start();
        RedisKeyedLimiter limiter = builder().cluster(cluster.uris().subList(1, 3)).build()) {
      awaitAnswers(limiter);
      severalLimitsAreAllOrNothing(limiter, "42", "42");
      severalLimitsAreAllOrNothing(limiter, "43", "44"); // in slots of different masters
      RedisServer master = cluster.nodes().get(0);
      goesOn(limiter, master, () -> cluster.kill(master));
    }
  }

  private static void severalLimitsAreAllOrNothing(
      RedisKeyedLimiter limiter, String first, String second) {
    NamedLimit wide = NamedLimit.of("wide", new SlidingLog(5, Duration.ofHours(1)));
    NamedLimit narrow = NamedLimit.of("narrow", new SlidingLog(1, Duration.ofHours(1)));
    List<Hit> hits = List.of(Hit.of(wide, first), Hit.of(narrow, second));
    assertThat(limiter.check(hits).toCompletableFuture().join().allowed()).isTrue();

    KeyedDecision refused = limiter.check(hits).toCompletableFuture().join();

    assertThat(refused.allowed()).isFalse();
    assertThat(refused.degraded()).isFalse();
    Awaitility.await() // a refund is on its way where it was no single step
        .atMost(Duration.ofSeconds(5))
        .until(
            () ->
                limiter.check(wide, first, 0).toCompletableFuture().join().decision().remaining()
                    == 4);
  }

  @Test
  void aSentinelNamesTheNextMaster(@TempDir Path directory) throws Exception {
    RedisServer master = start();
    start("--replicaof", "127.0.0.1 " + master.port());
    int port = FreePorts.next();
    sentinel(directory, port, master.port());
    String uri = "redis-sentinel://127.0.0.1:" + port + "#main";
    try (RedisKeyedLimiter limiter = builder().redis(uri).build()) {
      RedisCluster.awaitReplicas(List.of(master), 1);
      goesOn(
          limiter,
          master,
          () -> {
            master.kill();
            sentinelTakesItForDeadSoon(port);
          });
    } finally {
      stop();
    }
  }

  /** Three permits of each key before a master dies, and no more than two after. */
  private static void goesOn(RedisKeyedLimiter limiter, RedisServer master, Runnable kill) {
    awaitAnswers(limiter);
    for (int key = 0; key < KEYS; key++) {
      KeyedDecision decision = ask(limiter, key, 3);
      assertThat(decision.degraded()).isFalse();
      assertThat(decision.decision().remaining()).isEqualTo(2);
    }
    // What is behind at a failover is lost.
    assertThat(master.redis().waitForReplication(1, 30_000)).isEqualTo(1);
    kill.run();

    awaitAnswers(limiter);
    for (int key = 0; key < KEYS; key++) {
      assertThat(ask(limiter, key, 3).allowed()).isFalse();
      assertThat(ask(limiter, key, 2).allowed()).isTrue();
      assertThat(ask(limiter, key, 1).allowed()).isFalse();
    }
  }

  private static void awaitAnswers(RedisKeyedLimiter limiter) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              for (int key = 0; key < KEYS; key++) {
                if (ask(limiter, key, 0).degraded()) {
                  return false;
                }
              }
              return true;
            });
  }

  private static KeyedDecision ask(RedisKeyedLimiter limiter, int key, long cost) {
    return limiter.check(FIVE, "customer-" + key, cost).toCompletableFuture().join();
  }

  private static RedisKeyedLimiterBuilder builder() {
    return RedisKeyedLimiter.builder()
        .timeout(Duration.ofSeconds(5))
        .outagePolicy(OutagePolicy.CLOSED);
  }

  /** Patient before, so that it does not depose a master that only stands still. */
  private static void sentinelTakesItForDeadSoon(int port) {
    try (RedisClient client = RedisClient.create();
        StatefulRedisSentinelConnection<String, String> sentinel =
            client.connectSentinel(RedisURI.create("redis://127.0.0.1:" + port))) {
      sentinel.sync().set("main", "down-after-milliseconds", "1000");
    }
  }

  private void sentinel(Path directory, int port, int masterPort) throws IOException {
    Path file = directory.resolve("sentinel.conf");
    Files.writeString(
        file,
        "port "
            + port
            + "\nsentinel monitor main 127.0.0.1 "
            + masterPort
            + " 1\nsentinel down-after-milliseconds main 60000\n"
            + "sentinel failover-timeout main 5000\n");
    Process process =
        new ProcessBuilder("redis-server", file.toString(), "--sentinel")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    running.add(process::destroyForcibly);
  }

  private RedisServer start(String... options) {
    RedisServer server = RedisServer.start(options);
    running.add(server);
    return server;
  }

  private void stop() throws Exception {
    for (AutoCloseable each : running) {
      each.close();
    }
  }
}
