package io.headgate.keyed.redis;

import io.headgate.core.limit.SlidingLog;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.NamedLimit;
import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * One process of a service: threads that ask for one key as fast as answers come. It writes when
 * each admitted request was begun and answered, on the clock that all processes of a machine share.
 */
final class Replica {

  private record Admitted(long begun, long answered, boolean degraded) {}

  private Replica() {}

  public static void main(String[] args) throws Exception {
    String uri = args[0];
    int threads = Integer.parseInt(args[1]);
    long seconds = Long.parseLong(args[2]);
    long limit = Long.parseLong(args[3]);
    long skewNanos = Long.parseLong(args[4]);
    int replicas = Integer.parseInt(args[5]);
    NamedLimit named = NamedLimit.of("transfers", new SlidingLog(limit, Duration.ofSeconds(1)));
    RedisKeyedLimiterBuilder builder =
        RedisKeyedLimiter.builder()
            .outagePolicy(OutagePolicy.LOCAL)
            .knownReplicas(replicas)
            .timeout(Duration.ofMillis(Long.parseLong(args[7])))
            .nanoClock(() -> System.nanoTime() + skewNanos);
    if (uri.contains(",")) {
      builder.cluster(List.of(uri.split(",")));
    } else {
      builder.redis(uri);
    }
    Queue<Admitted> admitted = new ConcurrentLinkedQueue<>();
    try (RedisKeyedLimiter limiter = builder.build()) {
      while (limiter.check(named, "warm-up", 1).toCompletableFuture().join().degraded()) {
        LockSupport.parkNanos(1_000_000); // the connection is not there yet
      }
      Files.createFile(Path.of(args[6])); // it is ready
      long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
      List<Thread> running = new ArrayList<>();
      for (int number = 0; number < threads; number++) {
        Thread thread = new Thread(() -> ask(limiter, named, end, admitted));
        thread.start();
        running.add(thread);
      }
      for (Thread thread : running) {
        thread.join();
      }
    }
    try (BufferedWriter out = Files.newBufferedWriter(Path.of(args[6]))) {
      for (Admitted each : admitted) {
        out.write(each.begun + " " + each.answered + " " + each.degraded + "\n");
      }
    }
  }

  private static void ask(
      RedisKeyedLimiter limiter, NamedLimit named, long end, Queue<Admitted> admitted) {
    long begun = System.nanoTime();
    while (begun < end) {
      KeyedDecision decision = limiter.check(named, "42", 1).toCompletableFuture().join();
      long answered = System.nanoTime();
      if (decision.allowed()) {
        admitted.add(new Admitted(begun, answered, decision.degraded()));
      } else if (decision.degraded()) {
        LockSupport.parkNanos(1_000_000); // it costs nothing, and others need the processor
      }
      begun = System.nanoTime();
    }
  }
}
