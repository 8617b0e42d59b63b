package io.headgate.examples.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.headgate.agent.HeadgateAgent;
import io.headgate.agent.grpc.HeadgateClientInterceptor;
import io.headgate.agent.grpc.HeadgateServerInterceptor;
import org.junit.jupiter.api.Test;

class GreeterTest {

  @Test
  void greetsEveryoneWhileThereIsNoControlPlane() throws Exception {
    try (HeadgateAgent greeter = HeadgateAgent.builder().service("greeter").build();
        HeadgateAgent frontDesk = HeadgateAgent.builder().service("front-desk").build()) {
      Server server = GreeterServer.start(0, HeadgateServerInterceptor.of(greeter));
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
              .usePlaintext()
              .intercept(HeadgateClientInterceptor.of(frontDesk, "greeter"))
              .build();
      try {
        GreeterClient.Outcome outcome = GreeterClient.callForOneSecond(channel, 20);

        assertThat(outcome.admitted).isEqualTo(20);
        assertThat(outcome.dropped).isZero();
      } finally {
        channel.shutdownNow();
        server.shutdownNow();
      }
    }
  }
}
