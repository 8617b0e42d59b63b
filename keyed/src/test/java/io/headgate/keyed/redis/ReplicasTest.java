package io.headgate.keyed.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes of ten threads each over one Redis, judged by what the processes saw themselves.
 *
 * <p>The server decides somewhere between the begin and the answer of a request. Requests that were
 * begun after a window's start and answered before its end were decided in the window for certain;
 * more of these than the limit are a proof of a wrong decision.
 */
@Tag("process")
class ReplicasTest {

  private static final long LIMIT = 100;
  private static final int REPLICAS = 3;
  private static final long WINDOW = 1_000_000_000L;
  private static final long SECONDS = Long.getLong("headgate.replicas.seconds", 6);

  /** Time for a cluster to see that a master is gone, and to agree on another. */
  private static final long FAILOVER_SECONDS = 8;

  /** Where the server is there all the time, however slow the machine is. */
  private static final Duration PATIENT = Duration.ofSeconds(20);

  private static final Duration IMPATIENT = Duration.ofSeconds(1);

  private static final System.Logger LOG = System.getLogger(ReplicasTest.class.getName());

  private record Admitted(long begun, long answered, boolean degraded) {}

  @TempDir Path directory;

  @Test
  void threeReplicasAdmitOneLimit() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      List<Admitted> admitted = admitted(start(server.uri(), 0, SECONDS, PATIENT));

      assertThat(mostInAWindow(admitted)).isLessThanOrEqualTo(LIMIT);
      assertThat(admitted.size()).isGreaterThan((int) (LIMIT * SECONDS / 2));
      assertThat(admitted).noneMatch(Admitted::degraded);
    }
  }

  @Test
  void clocksFiveSecondsApartChangeNothing() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      List<Admitted> admitted = admitted(start(server.uri(), 5 * WINDOW, SECONDS, PATIENT));

      assertThat(mostInAWindow(admitted)).isLessThanOrEqualTo(LIMIT);
      assertThat(admitted.size()).isGreaterThan((int) (LIMIT * SECONDS / 2));
    }
  }

  /** A Redis that loses everything: the limit before, and the shares of the replicas after. */
  @Test
  void aRestartAdmitsASecondLimitAtMost() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      List<Process> replicas = start(server.uri(), 0, SECONDS, IMPATIENT);
      awaitReady();
      TimeUnit.MILLISECONDS.sleep(SECONDS * 1000 / 3);
      server.kill();
      TimeUnit.MILLISECONDS.sleep(500);
      server.run();
      long restarted = System.nanoTime();
      List<Admitted> admitted = admitted(replicas);

      assertThat(mostInAWindow(admitted)).isBetween(LIMIT / 2, 2 * LIMIT);
      LOG.log(
          Level.INFO,
          "most in a window over a restart: {0} of {1}",
          mostInAWindow(admitted),
          LIMIT);
      assertThat(admitted).filteredOn(Admitted::degraded).isNotEmpty();
      assertThat(admitted)
          .filteredOn(each -> !each.degraded() && each.begun() > restarted)
          .isNotEmpty();
    }
  }

  /**
   * The master of the key dies. What it had not replicated yet is admitted again, the shares are
   * admitted until a replica takes its place: no more than a second limit in any window.
   */
  @Test
  void aFailoverOfAClusterAdmitsASecondLimitAtMost() throws Exception {
    try (RedisCluster cluster = RedisCluster.start()) {
      List<Process> replicas =
          start(String.join(",", cluster.uris()), 0, SECONDS + FAILOVER_SECONDS, IMPATIENT);
      awaitReady();
      TimeUnit.MILLISECONDS.sleep(SECONDS * 1000 / 4);
      RedisServer dying = cluster.masterOf("headgate:{42}:transfers");
      cluster.kill(dying);
      long died = System.nanoTime();
      List<Admitted> admitted = admitted(replicas);

      assertThat(mostInAWindow(admitted)).isBetween(LIMIT / 2, 2 * LIMIT);
      List<Admitted> after = admitted.stream().filter(each -> each.begun() > died).toList();
      assertThat(after).filteredOn(Admitted::degraded).isNotEmpty();
      // Whoever asked when the master was dead has this answer from the one that took its place.
      List<Admitted> byTheNext = after.stream().filter(each -> !each.degraded()).toList();
      assertThat(byTheNext).isNotEmpty();
      LOG.log(
          Level.INFO,
          "most in a window over a failover: {0} of {1}, the next master answers after {2} ms",
          mostInAWindow(admitted),
          LIMIT,
          (byTheNext.stream().mapToLong(Admitted::begun).min().orElseThrow() - died) / 1_000_000);
    }
  }

  private void awaitReady() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                IntStream.range(0, REPLICAS)
                    .allMatch(number -> Files.exists(directory.resolve("replica" + number))));
  }

  private List<Process> start(String uri, long skewNanos, long seconds, Duration timeout)
      throws IOException {
    List<Process> replicas = new ArrayList<>();
    for (int number = 0; number < REPLICAS; number++) {
      List<String> command =
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-XX:+UseSerialGC",
              "-cp",
              System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
              Replica.class.getName(),
              uri,
              "10",
              Long.toString(seconds),
              Long.toString(LIMIT),
              Long.toString(number * skewNanos),
              Integer.toString(REPLICAS),
              directory.resolve("replica" + number).toString(),
              Long.toString(timeout.toMillis()));
      replicas.add(new ProcessBuilder(command).inheritIO().start());
    }
    return replicas;
  }

  private List<Admitted> admitted(List<Process> replicas) throws Exception {
    List<Admitted> admitted = new ArrayList<>();
    for (int number = 0; number < replicas.size(); number++) {
      Process replica = replicas.get(number);
      assertThat(replica.waitFor(SECONDS + FAILOVER_SECONDS + 60, TimeUnit.SECONDS)).isTrue();
      assertThat(replica.exitValue()).isZero();
      for (String line : Files.readAllLines(directory.resolve("replica" + number))) {
        String[] parts = line.split(" ");
        admitted.add(
            new Admitted(
                Long.parseLong(parts[0]),
                Long.parseLong(parts[1]),
                Boolean.parseBoolean(parts[2])));
      }
    }
    return admitted;
  }

  private static long mostInAWindow(List<Admitted> admitted) {
    List<Admitted> byAnswer = new ArrayList<>(admitted);
    byAnswer.sort(Comparator.comparingLong(Admitted::answered));
    long most = 0;
    int first = 0;
    for (int last = 0; last < byAnswer.size(); last++) {
      long end = byAnswer.get(last).answered();
      while (byAnswer.get(first).answered() <= end - WINDOW) {
        first++;
      }
      long certain =
          byAnswer.subList(first, last + 1).stream()
              .filter(each -> each.begun() > end - WINDOW)
              .count();
      most = Math.max(most, certain);
    }
    return most;
  }
}
