package io.headgate.agent;

import static io.headgate.agent.Samples.accept;
import static io.headgate.agent.Samples.bucket;
import static io.headgate.agent.Samples.payments;
import static io.headgate.agent.Samples.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.protocol.v1.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConcurrentCountTest {

  private static final int THREADS = 4;
  private static final int REQUESTS = 500_000;

  private final Gates gates = Samples.gates(() -> ThreadLocalRandom.current().nextLong());
  private final BucketNumbers numbers = new BucketNumbers();
  private long offered;
  private long dropped;
  private long urgent;

  private void report() {
    ReportWriter writer = new ReportWriter(Report.newBuilder(), numbers, 0);
    gates.services().forEach(service -> service.buckets().forEach(writer::add));
    Report report = writer.build();
    offered += report.getOfferedList().stream().mapToLong(Long::longValue).sum();
    dropped += report.getDroppedList().stream().mapToLong(Long::longValue).sum();
    urgent += report.getLevelList().stream().mapToLong(level -> level.getOffered()).sum();
  }

  @Test
  void noCountIsLostOrDoubledWhileReportsAreWritten() throws Exception {
    Gate gate = gates.gate("payments", "checkout", "Charge");
    gates.apply(payments(rule("all").build()));
    bucket(gates, "all").enforce(accept(0.5));
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    List<Future<Integer>> droppedByThread = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int criticality = i == 0 ? 1 : -1;
      droppedByThread.add(pool.submit(() -> judge(gate, criticality)));
    }
    pool.shutdown();

    while (!pool.awaitTermination(1, TimeUnit.MILLISECONDS)) {
      report();
    }
    report();

    int droppedInAll = 0;
    for (Future<Integer> of : droppedByThread) {
      droppedInAll += of.get();
    }
    assertThat(offered).isEqualTo((long) THREADS * REQUESTS);
    assertThat(dropped).isEqualTo(droppedInAll).isPositive();
    assertThat(urgent).isEqualTo(REQUESTS);
  }

  @Test
  void gatesMadeAtOnceByManyThreadsAreOneAndMeetTheRules() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    List<Future<Integer>> made = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      made.add(
          pool.submit(
              () -> {
                for (int n = 0; n < 2_000; n++) {
                  gates.gate("payments", "caller-" + n, "Charge").judge();
                }
                return 0;
              }));
    }
    for (int version = 0; version < 50; version++) {
      gates.apply(payments(rule("all").limit(version).build(), rule("each").perCaller().build()));
    }
    for (Future<Integer> of : made) {
      of.get(20, TimeUnit.SECONDS);
    }
    pool.shutdown();
    gates.apply(payments(rule("last").build()));

    for (int n = 0; n < 2_000; n++) {
      gates.gate("payments", "caller-" + n, "Charge").judge();
    }

    assertThat(gates.gateCount()).isEqualTo(2_000);
    assertThat(bucket(gates, "last").snapshot().offered()).isEqualTo(2_000);
  }

  private static int judge(Gate gate, int criticality) {
    int dropped = 0;
    for (int i = 0; i < REQUESTS; i++) {
      // A directive for level 3 does not touch class 1.
      if (!gate.judge(criticality, false).admitted()) {
        dropped++;
      }
    }
    return dropped;
  }
}
