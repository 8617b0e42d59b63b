package io.headgate.keyed.ring.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers are those that Gubernator 2.19 computes. */
class HashRingTest {

  private static final List<String> SIX =
      IntStream.range(9990, 9996).mapToObj(port -> "127.0.0.1:" + port).toList();

  @Test
  void hashesAsPublished() {
    assertThat(Fnv.FNV1.hash("a_b")).isEqualTo(0xd8dc97186baf569dL);
    assertThat(Fnv.FNV1A.hash("a_b")).isEqualTo(0xe6c4a31904f4ad51L);
    assertThat(Fnv.FNV1.hash("a", "b")).isEqualTo(0xd8dc97186baf569dL);
    assertThat(Fnv.FNV1.hash("test_over_limit", "account:1234")).isEqualTo(0x3e447f48668d0578L);
  }

  @Property(tries = 300)
  void hashesTheBytesOfUtf8(@ForAll String text) {
    long expected = 0xcbf29ce484222325L;
    for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
      expected = expected * 0x100000001b3L ^ octet & 0xff;
    }
    assertThat(Fnv.FNV1.hash(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "test_over_limit, account:1234, 9990",
    "test_token_bucket, account:1234, 9992",
    "test_leaky_bucket, account:1234, 9994",
    "test_multiple_async, account:9234, 9993",
    "test_multiple_async, account:5678, 9995",
    "requests_per_sec, account:12345, 9992",
    "a, b, 9993"
  })
  void ownersAreThoseOfGubernator(String name, String key, int port) {
    HashRing ring = new HashRing(Fnv.FNV1, HashRing.DEFAULT_REPLICAS, SIX);
    assertThat(ring.owner(name, key)).isEqualTo("127.0.0.1:" + port);
  }

  @ParameterizedTest
  @CsvSource({"FNV1, 2948, 3592, 3460", "FNV1A, 3110, 3856, 3034"})
  void keysSpreadAsThoseOfGubernator(Fnv hash, int a, int b, int c) {
    List<String> hosts = List.of("a.svc.local", "b.svc.local", "c.svc.local");
    HashRing ring = new HashRing(hash, HashRing.DEFAULT_REPLICAS, hosts);
    int[] keys = new int[3];
    for (int i = 0; i < 10_000; i++) {
      keys[ring.ownerIndexOf("192.168." + (i >> 8) + "." + (i & 255))]++;
    }
    assertThat(keys).containsExactly(a, b, c);
  }

  @Test
  void aPeerThatLeavesMovesItsOwnKeysOnly() {
    HashRing six = new HashRing(Fnv.FNV1, HashRing.DEFAULT_REPLICAS, SIX);
    HashRing five = new HashRing(Fnv.FNV1, HashRing.DEFAULT_REPLICAS, SIX.subList(0, 5));
    for (int i = 0; i < 1_000; i++) {
      String before = six.owner("name", "key" + i);
      if (SIX.indexOf(before) < 5) {
        assertThat(five.owner("name", "key" + i)).isEqualTo(before);
      }
    }
  }

  @Test
  void ordersDoNotMatter() {
    HashRing one = new HashRing(Fnv.FNV1, 8, List.of("a:1", "b:1", "c:1"));
    HashRing other = new HashRing(Fnv.FNV1, 8, List.of("c:1", "a:1", "b:1"));
    assertThat(one.fingerprint()).isEqualTo(other.fingerprint());
    for (int i = 0; i < 100; i++) {
      assertThat(one.owner("n", "k" + i)).isEqualTo(other.owner("n", "k" + i));
    }
  }

  @Test
  void nobodyOwnsAnythingOnAnEmptyRing() {
    HashRing ring = new HashRing(Fnv.FNV1, 8, List.of());
    assertThat(ring.owner("n", "k")).isNull();
    assertThatThrownBy(() -> new HashRing(Fnv.FNV1, 0, List.of()))
        .hasMessage("replicas: 0 (expected: 1 or more)");
  }
}
