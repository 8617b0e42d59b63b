package io.headgate.keyed.ring;

import static io.headgate.keyed.ring.TestCluster.brief;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.core.hits.Algorithm;
import io.headgate.core.hits.Behavior;
import io.headgate.core.hits.BucketState;
import io.headgate.core.hits.HitRequest;
import io.headgate.fixtures.FreePorts;
import io.headgate.keyed.ring.bucket.BucketLoader;
import io.headgate.keyed.ring.bucket.BucketStore;
import io.headgate.keyed.ring.bucket.HitKey;
import io.headgate.keyed.ring.discovery.PeerInfo;
import io.headgate.protocol.gubernator.GetRateLimitsReq;
import io.headgate.protocol.gubernator.RateLimitReq;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a service hears of the node that it embeds, and gives it. */
class HooksTest {

  private static final HitKey KEY = new HitKey("name", "key");

  private static RateLimitReq request(long hits, long limit, long duration) {
    return RateLimitReq.newBuilder()
        .setName("name")
        .setUniqueKey("key")
        .setHits(hits)
        .setLimit(limit)
        .setDuration(duration)
        .build();
  }

  private static String check(KeyedRing ring, RateLimitReq request) {
    return brief(
        ring.check(GetRateLimitsReq.newBuilder().addRequests(request).build())
            .join()
            .getResponses(0));
  }

  private static RingBuilder alone() {
    return KeyedRing.builder("127.0.0.1:" + FreePorts.next());
  }

  @Test
  void bucketsAreLoadedAtTheStartAndSavedAtTheEnd() {
    List<BucketLoader.Entry> saved = new ArrayList<>();
    List<String> calls = new ArrayList<>();
    BucketLoader loader =
        new BucketLoader() {
          @Override
          public Stream<Entry> load() {
            calls.add("load");
            return saved.stream();
          }

          @Override
          public void save(Stream<Entry> buckets) {
            calls.add("save");
            buckets.forEach(saved::add);
          }
        };
    try (KeyedRing ring = alone().loader(loader).start()) {
      assertThat(check(ring, request(1, 2, 60_000))).isEqualTo("U1");
    }
    assertThat(calls).containsExactly("load", "save");
    assertThat(saved).hasSize(1);
    assertThat(saved.get(0).key()).isEqualTo(KEY);
    assertThat(saved.get(0).state().limit()).isEqualTo(2);
    assertThat(saved.get(0).state().count()).isEqualTo(1);

    try (KeyedRing ring = alone().loader(loader).start()) {
      assertThat(check(ring, request(1, 2, 60_000))).isEqualTo("U0");
      assertThat(check(ring, request(1, 2, 60_000))).isEqualTo("O0");
    }
  }

  private static final class RecordingStore implements BucketStore {
    final List<String> calls = new ArrayList<>();
    final Map<HitKey, BucketState> states = new HashMap<>();

    @Override
    public BucketState get(HitKey key, HitRequest request) {
      calls.add("get");
      return states.get(key);
    }

    @Override
    public void changed(HitKey key, HitRequest request, BucketState state) {
      calls.add("changed");
      states.put(key, state);
    }

    @Override
    public void removed(HitKey key) {
      calls.add("removed");
      states.remove(key);
    }
  }

  @Test
  void aStoreIsAskedForWhatIsNotInMemoryAndToldOfEachChange() {
    RecordingStore store = new RecordingStore();
    try (KeyedRing ring = alone().store(store).start()) {
      check(ring, request(1, 10, 60_000));
      assertThat(store.calls).containsExactly("get", "changed");
      check(ring, request(0, 10, 60_000));
      assertThat(store.calls).containsExactly("get", "changed", "changed");
      check(ring, request(0, 10, 60_000).toBuilder().setBehaviorValue(8).build());
      assertThat(store.calls).containsExactly("get", "changed", "changed", "removed");
    }
  }

  @Test
  void whatTheStoreHasGoesOn() {
    RecordingStore store = new RecordingStore();
    long now = System.currentTimeMillis();
    store.states.put(KEY, stored(5_000, now));
    try (KeyedRing ring = alone().store(store).start()) {
      check(ring, request(1, 10, 8_000));
      assertThat(store.calls).containsExactly("get", "changed");
      assertThat(store.states.get(KEY).expireAt()).isEqualTo(now + 8_000);
      assertThat(store.states.get(KEY).count()).isEqualTo(1);
    }
  }

  @Test
  void whatTheStoreHasIsRenewedByADurationThatIsOver() {
    RecordingStore store = new RecordingStore();
    long now = System.currentTimeMillis();
    store.states.put(KEY, stored(500_000, now - 100_000));
    try (KeyedRing ring = alone().store(store).clock(() -> now).start()) {
      assertThat(check(ring, request(1, 10, 8_000))).isEqualTo("U9");
      assertThat(store.states.get(KEY).time()).isEqualTo(now);
      assertThat(store.states.get(KEY).expireAt()).isEqualTo(now + 8_000);
    }
  }

  private static BucketState stored(long duration, long createdAt) {
    return new BucketState(
        Algorithm.TOKEN_BUCKET, 10, duration, false, 0, 0, 0, createdAt, 0, createdAt + duration);
  }

  @Test
  void theLeastRecentlyUsedMakesRoom() {
    RingSettings three =
        new RingSettings(
            3,
            RingSettings.DEFAULT.hash(),
            RingSettings.DEFAULT.replicas(),
            RingSettings.DEFAULT.peers(),
            true,
            RingSettings.DEFAULT.sync(),
            false,
            WhenUnreachable.ERROR,
            Duration.ZERO);
    try (KeyedRing ring = alone().settings(three).start()) {
      for (String key : List.of("a", "b", "c", "a", "d")) {
        check(ring, request(1, 10, 60_000).toBuilder().setUniqueKey(key).build());
      }
      assertThat(check(ring, request(0, 10, 60_000).toBuilder().setUniqueKey("a").build()))
          .isEqualTo("U8");
      assertThat(ring.gauges().unexpiredEvictions()).isEqualTo(1);
      assertThat(check(ring, request(0, 10, 60_000).toBuilder().setUniqueKey("b").build()))
          .isEqualTo("U10");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, Behavior.NO_BATCHING, Behavior.GLOBAL})
  void theOwnerTellsOnceOfHitsThatCameByAnyNode(int behavior) {
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    try (TestCluster cluster = new TestCluster()) {
      List<PeerInfo> infos =
          List.of(
              PeerInfo.of("127.0.0.1:" + FreePorts.next()),
              PeerInfo.of("127.0.0.1:" + FreePorts.next()));
      for (PeerInfo info : infos) {
        cluster.start(
            info,
            builder ->
                builder.listener(
                    (key, request, answer) ->
                        heard.add(info.grpcAddress() + " " + key + " " + request.hits())));
      }
      cluster.peers.set(infos);
      int owner = cluster.ownerOf("name", "key");
      RateLimitReq two = request(2, 10, 60_000).toBuilder().setBehaviorValue(behavior).build();
      cluster.ask(1 - owner, two);
      await()
          .untilAsserted(
              () -> assertThat(heard).containsExactly(cluster.address(owner) + " name_key 2"));
    }
  }
}
