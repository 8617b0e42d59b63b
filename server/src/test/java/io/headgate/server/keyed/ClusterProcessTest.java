package io.headgate.server.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.headgate.keyed.ring.hash.Fnv;
import io.headgate.keyed.ring.hash.HashRing;
import io.headgate.protocol.gubernator.GetRateLimitsReq;
import io.headgate.protocol.gubernator.RateLimitReq;
import io.headgate.protocol.gubernator.RateLimitResp;
import io.headgate.protocol.gubernator.Status;
import io.headgate.protocol.gubernator.V1Grpc;
import io.headgate.server.run.ServerChild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Six nodes as processes, of which one more joins, one leaves and one is killed under load. {@code
 * -Dheadgate.ring.seconds=60} makes the load longer.
 */
@Tag("process")
class ClusterProcessTest {

  private static final int SECONDS = Integer.getInteger("headgate.ring.seconds", 9);
  private static final int KEYS = 150;
  private static final int LIMIT = 40;
  private static final int CALLERS = 3;

  @TempDir private Path directory;
  private Path peers;
  private final Map<String, ServerChild> nodes = new LinkedHashMap<>();
  private final List<ManagedChannel> channels = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    peers = directory.resolve("peers");
    List<String> addresses = new ArrayList<>();
    for (int port = 9990; port < 9996; port++) {
      addresses.add("127.0.0.1:" + port);
    }
    write(addresses);
    for (String address : addresses) {
      launch(address);
    }
    for (ServerChild node : nodes.values()) {
      node.awaitReady();
    }
  }

  private void write(List<String> addresses) throws IOException {
    Path next = directory.resolve("peers.next");
    Files.write(next, addresses);
    Files.move(
        next,
        peers,
        java.nio.file.StandardCopyOption.ATOMIC_MOVE,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private void launch(String address) throws IOException {
    ServerChild child =
        ServerChild.start(
            directory.resolve("node-" + address.substring(address.indexOf(':') + 1) + ".log"),
            "keyed",
            List.of(
                "--grpc",
                address,
                "--http",
                "127.0.0.1:0",
                "--peers-file",
                peers.toString(),
                "--exit-with-parent"),
            Map.of(
                "HEADGATE_KEYED_WHEN_UNREACHABLE", "local",
                "GUBER_BATCH_TIMEOUT",
                    "5s", // a machine that does other things too is not a dead node
                "GUBER_GRACEFUL_TERMINATION_DELAY_SEC", "2"));
    nodes.put(address, child);
  }

  @AfterEach
  void stop() throws InterruptedException {
    channels.forEach(ManagedChannel::shutdownNow);
    for (ServerChild node : nodes.values()) {
      node.kill();
    }
  }

  private V1Grpc.V1BlockingStub client(String address) {
    ManagedChannel channel =
        Grpc.newChannelBuilder(address, InsecureChannelCredentials.create()).build();
    channels.add(channel);
    return V1Grpc.newBlockingStub(channel);
  }

  private static RateLimitReq request(String name, String key) {
    return RateLimitReq.newBuilder()
        .setName(name)
        .setUniqueKey(key)
        .setHits(1)
        .setLimit(LIMIT)
        .setDuration(3_600_000)
        .build();
  }

  private static RateLimitResp ask(V1Grpc.V1BlockingStub client, RateLimitReq request) {
    return client
        .withDeadlineAfter(10, TimeUnit.SECONDS)
        .getRateLimits(GetRateLimitsReq.newBuilder().addRequests(request).build())
        .getResponses(0);
  }

  private static String key(int i) {
    return Integer.toHexString(i * 0x9E3779B9) + ":account";
  }

  @Test
  void nothingIsLostWhenNodesComeAndGoAndLittleWhenOneDies() throws Exception {
    V1Grpc.V1BlockingStub first = client("127.0.0.1:9990");
    assertThat(ask(first, request("test_multiple_async", "account:9234")).getMetadataMap())
        .containsEntry("owner", "127.0.0.1:9993");
    assertThat(ask(first, request("test_multiple_async", "account:5678")).getMetadataMap())
        .containsEntry("owner", "127.0.0.1:9995");
    assertThat(ask(first, request("test_over_limit", "account:1234")).getMetadataMap()).isEmpty();

    AtomicIntegerArray admitted = new AtomicIntegerArray(KEYS);
    AtomicIntegerArray alone = new AtomicIntegerArray(KEYS);
    AtomicLong errors = new AtomicLong();
    AtomicLong calls = new AtomicLong();
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    List<Future<?>> running = new ArrayList<>();
    for (int caller = 0; caller < CALLERS; caller++) {
      V1Grpc.V1BlockingStub client = client("127.0.0.1:" + (9990 + caller));
      running.add(callers.submit(() -> load(client, admitted, alone, errors, calls, over)));
    }
    changeTheCluster();
    over.set(true);
    for (Future<?> caller : running) {
      caller.get(60, TimeUnit.SECONDS);
    }
    callers.shutdownNow();

    assertThat(errors).hasValue(0);
    assertThat(calls.get()).isGreaterThan((long) KEYS * LIMIT);
    for (int i = 0; i < KEYS; i++) {
      if (wasOwnedByTheKilled(key(i))) {
        // Its count is gone, and each node that was asked counted alone until the list was changed.
        assertThat(admitted.get(i)).isBetween(LIMIT, LIMIT * (2 + CALLERS));
      } else {
        assertThat(admitted.get(i))
            .as("key %d, of which %d were answered without its owner", i, alone.get(i))
            .isEqualTo(LIMIT);
      }
    }
  }

  private Object load(
      V1Grpc.V1BlockingStub client,
      AtomicIntegerArray admitted,
      AtomicIntegerArray alone,
      AtomicLong errors,
      AtomicLong calls,
      AtomicBoolean over) {
    int round = 0;
    // Every key is asked for more often than its limit, however slow the machine is.
    while (!over.get() || round < LIMIT) {
      for (int i = 0; i < KEYS; i++) {
        RateLimitResp answer = ask(client, request("change", key(i)));
        calls.incrementAndGet();
        if (answer.containsMetadata("degraded")) {
          alone.incrementAndGet(i);
        }
        if (!answer.getError().isEmpty()) {
          errors.incrementAndGet();
        } else if (answer.getStatus() == Status.UNDER_LIMIT) {
          admitted.incrementAndGet(i);
        }
      }
      round++;
    }
    return "done";
  }

  private void changeTheCluster() throws Exception {
    List<String> addresses = new ArrayList<>(nodes.keySet());
    TimeUnit.SECONDS.sleep(SECONDS / 6); // the load goes on between the changes
    addresses.add("127.0.0.1:9996");
    launch("127.0.0.1:9996");
    node("127.0.0.1:9996").awaitReady();
    write(addresses);
    TimeUnit.SECONDS.sleep(SECONDS / 3);
    addresses.remove("127.0.0.1:9994");
    write(addresses);
    node("127.0.0.1:9994").process().destroy();
    assertThat(node("127.0.0.1:9994").process().waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(node("127.0.0.1:9994").process().exitValue()).isZero();
    TimeUnit.SECONDS.sleep(SECONDS / 3);
    node("127.0.0.1:9995").kill();
    TimeUnit.MILLISECONDS.sleep(200);
    addresses.remove("127.0.0.1:9995");
    write(addresses);
    TimeUnit.SECONDS.sleep(SECONDS / 6);
  }

  private ServerChild node(String address) {
    return java.util.Objects.requireNonNull(nodes.get(address));
  }

  /** Whether the node that was killed owned a key at any time before. */
  private static boolean wasOwnedByTheKilled(String key) {
    List<String> all =
        java.util.stream.IntStream.range(9990, 9997)
            .mapToObj(port -> "127.0.0.1:" + port)
            .collect(Collectors.toList());
    List<String> six = all.subList(0, 6);
    List<String> without = new ArrayList<>(all);
    without.remove("127.0.0.1:9994");
    for (List<String> peers : List.of(six, all, without)) {
      HashRing ring = new HashRing(Fnv.FNV1, HashRing.DEFAULT_REPLICAS, peers);
      if ("127.0.0.1:9995".equals(ring.owner("change", key))) {
        return true;
      }
    }
    return false;
  }
}
