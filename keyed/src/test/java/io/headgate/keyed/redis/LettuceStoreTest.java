package io.headgate.keyed.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.core.limit.FixedWindow;
import io.headgate.keyed.KeyedDecision;
import io.headgate.keyed.NamedLimit;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LettuceStoreTest {

  private static final NamedLimit LIMIT =
      NamedLimit.of("x", new FixedWindow(10, Duration.ofMinutes(1)));

  /** The connection is there at once, but what listens never says a word of Redis. */
  @Test
  void aConnectionThatIsStillBeingMadeHoldsUpARequestNoLongerThanTheTimeout() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        RedisKeyedLimiter limiter =
            RedisKeyedLimiter.builder()
                .redis("redis://127.0.0.1:" + silent.getLocalPort())
                .timeout(Duration.ofMillis(200))
                .build()) {
      // The connection itself may take twenty times as long.
      KeyedDecision decision =
          limiter.check(LIMIT, "42", 1).toCompletableFuture().get(2, TimeUnit.SECONDS);
      assertThat(decision.degraded()).isTrue();
      assertThat(decision.allowed()).isTrue();
    }
  }
}
