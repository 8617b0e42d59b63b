package io.headgate.keyed.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.headgate.core.hits.Behavior;
import io.headgate.fixtures.FreePorts;
import io.headgate.protocol.gubernator.GetRateLimitsReq;
import io.headgate.protocol.gubernator.GetRateLimitsResp;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import io.headgate.protocol.gubernator.Status;
import io.headgate.protocol.gubernator.V1Grpc;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sequences of requests to a node over gRPC. {@code "L10 D30000 h1 | +1000 h1"}: limit, duration
 * and burst hold until others are given, {@code +x} is the node's time from the start. Answers:
 * {@code "U9@3000"} is under the limit, 9 left, reset 3 s from the start.
 */
class WireTest {

  private static final long START = Instant.parse("2019-11-11T00:00:00Z").toEpochMilli();
  private static final AtomicLong NOW = new AtomicLong(START);
  private static KeyedRing node;
  private static ManagedChannel channel;

  @BeforeAll
  static void start() {
    String address = "127.0.0.1:" + FreePorts.next();
    node = KeyedRing.builder(address).clock(NOW::get).zone(ZoneOffset.UTC).start();
    channel = Grpc.newChannelBuilder(address, InsecureChannelCredentials.create()).build();
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    node.close();
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          0; B1;  L2 D9000 h1 | h1 | h1; U1@9000 | U0@9000 | O0@9000
          0; B2;  L2 D5 h1 | h1 | +100 h1; U1 | U0 | U1
          0; B3;  L2000 D1000 h1000 | h1500 | h500 | h400 | h100 | h1; U1000 | O1000 | U500 | U100 | U0 | O0
          0; B4;  L2 D5000 h-1 | h-1 | h4 | h-1; U3 | U4 | U0 | U1
          0; B5;  L10 D30000 h0 DRAIN | h1 DRAIN | h100 DRAIN | h0 DRAIN; U10 | U9 | O0 | U0
          0; B7;  L100 D9000 h1 | h1 | L10 h1 | h1 | L200 h1; U99 | U98 | U7 | U6 | U195
          0; B8;  L100 D9000 h1 | h1 | h1 RESET | h1; U99 | U98 | U100@none | U99
          0; B11; L10 D5000 h0 | D8000 h1; U10@5000 | U9@8000
          0; B12; L10 D500000 h0 | +100000 D8000 h1; U10 | U9@108000
          0; B13; L10 D60000 h10 | +10000 D5000 h2 | h2; U0 | U8 | U6
          0; B14; L10 D60000 h3 | +10000 D5000 h0 | h0; U7 | U10@15000 | U10
          0; B15; L2 D5000 h2 | h1 | h-1 | h1; U0 | O0 | U1 | U0
          0; B16; L100 D9000 h50 | L40 h1 | L100 h0 | h1; U50 | O0 | U50 | U49
          0; B17; L10 D9000 h11 DRAIN | h11 DRAIN; O0 | O0
          0; B19; L10 D1000 h1 c-5000 | h1 c-5000; U9 | U8
          0; B22; L60 D0 h1 GREG | h1 GREG | h58 GREG | h1 GREG | +59999 h0 GREG | +60000 h0 GREG; U59 | U58 | U0 | O0@59999 | U0 | U60@119999
          0; B25; L60 D3 h1 GREG; U59@604799999
          0; A11; L10 D0 h1; U9
          0; A11; L0 D10000 h1; O0
          1; C1;  L10 D30000 h1 | +1000 h1 | +2000 h1 | +3500 h0 | +6500 h0 | h9 | h1 | +9500 h0 | +69500 h0 | +129500 h10 | +158500 h9 | +161500 h1; U9@3000 | U8@7000 | U7@11000 | U8@9500 | U9@9500 | U0@36500 | O0@36500 | U1@36500 | U10@69500 | U0@159500 | U0@188500 | U0@191500
          1; C2;  L10 D30000 B20 h1 | +1000 h1 | +2000 h1 | +3500 h0 | +6500 h0 | h19 | h1 | +9500 h0 | +69500 h0; U19@-27000 | U18 | U17 | U18 | U19 | U0 | O0 | U1 | U20@39500
          1; C3;  L10 D30000 h1 | h-1 | h10 | h-1; U9 | U10 | U0 | U1
          1; C4;  L2000 D1000 h1000 | h1500 | h500 | h400 | h100 | h1; U1000 | O1000 | U500 | U100 | U0 | O0
          1; C5;  L2000 D1000 h1 | h100; U1999@1 | U1899@51
          1; C7;  L60 D0 h1 GREG | +500 h1 GREG | +1700 h1 GREG; U59@1000 | U58 | U58
          1; C9;  L60 D4 h30 GREG | h10 GREG | +86400000 h0 GREG; U30 | U20 | U22
          1; C10; L10 D30000 h10 | +4500 h1 | +6000 h1; U0 | U0 | U0
          1; C13; L10 D30000 h1 | +600000 h0; U9 | U10
          1; C16; L100 D9000 h97 | L50 h1; U3 | U2
          1; C17; L100 D9000 h1 | L10 h1 | h1; U99 | U9 | U8
          1; C18; L10 D30000 h5 | h1 RESET | h0 RESET; U5 | U9 | U10
          1; C20; L10 D30000 h0 DRAIN | h1 DRAIN | h100 DRAIN; U10 | U9 | O0@30000
          100; sliding; L10 D1000 h8 | +1000 h2 | h3 | +1500 h3; U2 | U0 | O0 | U1
          101; gcra; L10 D30000 h11 | h5 | +1000 h5 | h1; O10 | U5@15000 | U0@30000 | O0
          """)
  void answersAsTheTableSays(int algorithm, String name, String requests, String expected) {
    NOW.set(START);
    assertThat(play(algorithm, name, requests, expected)).isEqualTo(expected);
  }

  private static String play(int algorithm, String name, String requests, String expected) {
    RateLimitReq.Builder request =
        RateLimitReq.newBuilder().setName(name).setUniqueKey(requests).setAlgorithmValue(algorithm);
    String[] wanted = expected.split("\\|");
    String[] steps = requests.split("\\|");
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < steps.length; i++) {
      request.setHits(0).setBehaviorValue(0).clearCreatedAt();
      for (String word : steps[i].strip().split(" ")) {
        apply(word, request);
      }
      RateLimitResp answer = ask(request.build());
      answers.add(
          TestCluster.brief(answer)
              + (i < wanted.length && wanted[i].contains("@") ? "@" + reset(answer) : ""));
    }
    return String.join(" | ", answers);
  }

  private static void apply(String word, RateLimitReq.Builder request) {
    switch (word) {
      case "RESET" -> request.setBehaviorValue(Behavior.RESET_REMAINING);
      case "DRAIN" -> request.setBehaviorValue(Behavior.DRAIN_OVER_LIMIT);
      case "GREG" -> request.setBehaviorValue(Behavior.DURATION_IS_GREGORIAN);
      default -> {
        long number = Long.parseLong(word.substring(1));
        switch (word.charAt(0)) {
          case 'L' -> request.setLimit(number);
          case 'D' -> request.setDuration(number);
          case 'B' -> request.setBurst(number);
          case 'h' -> request.setHits(number);
          case '+' -> NOW.set(START + number);
          case 'c' -> request.setCreatedAt(START + number);
          default -> throw new IllegalArgumentException(word);
        }
      }
    }
  }

  private static String reset(RateLimitResp answer) {
    return answer.getResetTime() == 0 ? "none" : Long.toString(answer.getResetTime() - START);
  }

  private static RateLimitResp ask(RateLimitReq request) {
    return V1Grpc.newBlockingStub(channel)
        .getRateLimits(GetRateLimitsReq.newBuilder().addRequests(request).build())
        .getResponses(0);
  }

  @Test
  void threeHitsASecondGoThroughOfTenThatAreAsked() {
    NOW.set(START);
    RateLimitReq request =
        RateLimitReq.newBuilder()
            .setName("C11")
            .setUniqueKey("k")
            .setAlgorithmValue(1)
            .setHits(1)
            .setLimit(3)
            .setDuration(1_000)
            .build();
    int admitted = 0;
    for (int tenth = 0; tenth <= 200; tenth++) {
      NOW.set(START + tenth * 100L);
      admitted += ask(request).getStatus() == Status.UNDER_LIMIT ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(63); // 3 at once, and 3 a second for 20 s
  }

  @Test
  void bytesThatAreNoMessageAreTheCallersMistakeAndTheNodeServesOn() {
    MethodDescriptor<byte[], GetRateLimitsResp> garbled =
        MethodDescriptor.<byte[], GetRateLimitsResp>newBuilder(
                new Bytes(), V1Grpc.getGetRateLimitsMethod().getResponseMarshaller())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(V1Grpc.getGetRateLimitsMethod().getFullMethodName())
            .build();
    assertThatThrownBy(
            () ->
                ClientCalls.blockingUnaryCall(
                    channel, garbled, CallOptions.DEFAULT, new byte[] {10, 127, 1, 2, 3}))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessage(
            "INTERNAL: grpc: error unmarshalling request: proto: cannot parse invalid wire-format"
                + " data");
    NOW.set(START);
    assertThat(play(0, "after", "L10 D1000 h1", "U9")).isEqualTo("U9");
  }

  /** Sends bytes as they are. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }
}
