package io.headgate.examples.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.grpc.HeadgateClientInterceptor;
import io.headgate.agent.grpc.HeadgateServerInterceptor;
import io.headgate.core.rule.Location;
import io.headgate.examples.grpc.GreeterClient.Outcome;
import io.headgate.server.run.HeadgateServer;
import io.headgate.server.run.HostPort;
import io.headgate.server.run.Role;
import io.headgate.server.run.ServerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class GreeterTest {

  @Test
  void greetsEveryoneWhileThereIsNoControlPlane() throws Exception {
    try (HeadgateAgent greeter = HeadgateAgent.builder().service("greeter").build();
        HeadgateAgent frontDesk = HeadgateAgent.builder().service("front-desk").build()) {
      Server server = GreeterServer.start(0, HeadgateServerInterceptor.of(greeter));
      ManagedChannel channel = open(server, frontDesk);
      try {
        Outcome outcome = GreeterClient.callForOneSecond(channel, 20);

        assertThat(outcome.admitted).isEqualTo(20);
        assertThat(outcome.dropped).isZero();
      } finally {
        channel.shutdownNow();
        server.shutdownNow();
      }
    }
  }

  @Test
  @Tag("process")
  void greetsAboutFiftyTimesASecondUnderAControlPlane() throws Exception {
    HeadgateServer controlPlane = startControlPlane();
    try (HeadgateAgent frontDesk =
        HeadgateAgent.builder()
            .service("front-desk")
            .region("local")
            .zone("local-1")
            .aggregators(controlPlane.grpcAddress().toString())
            .build()) {
      Server server = GreeterServer.start(0);
      ManagedChannel channel = open(server, frontDesk);
      try {
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () ->
                    assertThat(GreeterClient.callForOneSecond(channel, 100).dropped)
                        .isBetween(30, 70));
      } finally {
        channel.shutdownNow();
        server.shutdownNow();
      }
    } finally {
      controlPlane.drain();
    }
  }

  private static ManagedChannel open(Server server, HeadgateAgent frontDesk) {
    return NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
        .usePlaintext()
        .intercept(HeadgateClientInterceptor.of(frontDesk, "greeter"))
        .build();
  }

  private static HeadgateServer startControlPlane() {
    return HeadgateServer.start(
        new ServerSettings(
            Set.of(Role.AGGREGATOR, Role.CONTROLLER),
            "example",
            1,
            new Location("local", "local-1"),
            new HostPort("127.0.0.1", 0),
            new HostPort("127.0.0.1", 0),
            List.of(),
            new HostPort("127.0.0.1", 0),
            List.of(),
            List.of(),
            Path.of("rules"),
            1,
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            null,
            null));
  }
}
