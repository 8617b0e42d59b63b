package io.headgate.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.awaitility.Awaitility.await;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentHello;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.AggregationGrpc;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Report;
import io.headgate.server.demo.cluster.ServerProcess;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What comes from a client that speaks the protocol, but not the truth. */
@EndToEndTest
class BadReportsTest {

  private static final String SERVICE = "victim";

  @Test
  void badReportsAreRefusedAndCountedAndTheLimitIsKept(Fleet fleet) throws Exception {
    fleet.writeRules(
        SERVICE,
        """
        service: victim
        rules:
          - name: limit
            limit: 20000/s
            scope: global
            behavior: deny
        """);
    ServerProcess aggregator = fleet.cluster().aggregators("us-east-1").get(0);
    ManagedChannel channel =
        Grpc.newChannelBuilder(aggregator.grpcAddress(), InsecureChannelCredentials.create())
            .build();
    try (Traffic traffic = GlobalLimitTest.demandOf30000(SERVICE, fleet)) {
      traffic.settle();

      StreamObserver<AgentMessage> liar = stream(channel, 5);
      liar.onNext(report(defined(1).addBucket(1).addOffered(-1)));
      liar.onNext(report(defined(2).addBucket(1).addOffered(Long.MIN_VALUE))); // 2^63
      liar.onNext(report(Report.newBuilder().setSequence(3).addBucket(77).addOffered(1)));
      liar.onNext(report(aMegabyteOfBuckets()));
      liar.onNext(report(Report.newBuilder().setSequence(5).addBucket(1).addOffered(1L << 62)));
      StreamObserver<AgentMessage> ghost = stream(channel, 4);
      ghost.onNext(report(defined(6).addBucket(1).addOffered(100_000)));

      assertRefused(fleet, aggregator, "negative", 2);
      assertRefused(fleet, aggregator, "undefined_bucket", 1);
      assertRefused(fleet, aggregator, "too_many_rows", 1);
      assertRefused(fleet, aggregator, "rate", 1);
      assertRefused(fleet, aggregator, "old_epoch", 1);
      Observation meanwhile = traffic.observeFor(Duration.ofSeconds(5));
      assertThat(meanwhile.admittedPerSecond()).isCloseTo(20_000, withPercentage(3));
      assertThat(aggregator.isAlive()).isTrue();
    } finally {
      channel.shutdownNow();
    }
  }

  private static void assertRefused(
      Fleet fleet, ServerProcess aggregator, String reason, double atLeast) {
    await()
        .atMost(Duration.ofSeconds(5))
        .untilAsserted(
            () ->
                assertThat(
                        fleet.metric(
                            aggregator,
                            "headgate_aggregator_reports_refused_total",
                            "reason=\"" + reason + "\""))
                    .as("reports refused for %s", reason)
                    .isGreaterThanOrEqualTo(atLeast));
  }

  private static StreamObserver<AgentMessage> stream(ManagedChannel channel, long epoch) {
    StreamObserver<AgentMessage> stream = AggregationGrpc.newStub(channel).connect(new Deaf());
    stream.onNext(
        AgentMessage.newBuilder()
            .setHello(
                AgentHello.newBuilder()
                    .setClientId("liar")
                    .setEpoch(epoch)
                    .setService("liar")
                    .setRegion("us-east")
                    .setZone("us-east-1"))
            .build());
    return stream;
  }

  /** A report that names the victim's bucket 1. */
  private static Report.Builder defined(long sequence) {
    return Report.newBuilder()
        .setSequence(sequence)
        .addDefine(BucketDefinition.newBuilder().setId(1).setService(SERVICE).setRule("limit"));
  }

  private static Report.Builder aMegabyteOfBuckets() {
    Report.Builder report = Report.newBuilder().setSequence(4);
    for (int row = 0; row < 260_000; row++) {
      report.addBucket(1 + row).addOffered(1);
    }
    assertThat(report.build().getSerializedSize()).isGreaterThan(1_000_000);
    return report;
  }

  private static AgentMessage report(Report.Builder report) {
    return AgentMessage.newBuilder().setReport(report.setElapsedNanos(1_000_000_000)).build();
  }

  private static final class Deaf implements StreamObserver<AgentDirection> {
    @Override
    public void onNext(AgentDirection direction) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }
}
