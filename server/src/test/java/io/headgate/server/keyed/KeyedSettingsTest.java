package io.headgate.server.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.keyed.ring.RingSettings;
import io.headgate.keyed.ring.WhenUnreachable;
import io.headgate.keyed.ring.hash.Fnv;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyedSettingsTest {

  private static KeyedSettings read(Map<String, String> variables) {
    return KeyedSettings.read(new Variables(variables));
  }

  @Test
  void withoutVariablesItIsAsGubernatorHasIt() {
    KeyedSettings settings = read(Map.of());
    assertThat(settings.grpc()).hasToString("localhost:1051");
    assertThat(settings.http()).hasToString("localhost:1050");
    assertThat(settings.ring()).isEqualTo(RingSettings.DEFAULT);
    assertThat(settings.ring().hash()).isEqualTo(Fnv.FNV1);
    assertThat(settings.ring().peers().batchWait()).isEqualTo(Duration.ofNanos(500_000));
    assertThat(settings.ring().sync().interval()).isEqualTo(Duration.ofMillis(100));
    assertThat(settings.unknown()).isEmpty();
  }

  @Test
  void variablesOfGubernatorAreTakenAsTheyAre() {
    KeyedSettings settings =
        read(
            Map.of(
                "GUBER_CACHE_SIZE", "1000",
                "GUBER_BATCH_WAIT", "1ms",
                "GUBER_BATCH_LIMIT", "100",
                "GUBER_DISABLE_BATCHING", "true",
                "GUBER_GLOBAL_SYNC_WAIT", "50ms",
                "GUBER_FORCE_GLOBAL", "1",
                "GUBER_PEER_PICKER", "replicated-hash",
                "GUBER_REPLICATED_HASH_REPLICAS", "64",
                "GUBER_DATA_CENTER", "east"));
    RingSettings ring = settings.ring();
    assertThat(ring.cacheSize()).isEqualTo(1_000);
    assertThat(ring.peers().batchWait()).isEqualTo(Duration.ofMillis(1));
    assertThat(ring.peers().batchLimit()).isEqualTo(100);
    assertThat(ring.batching()).isFalse();
    assertThat(ring.sync().interval()).isEqualTo(Duration.ofMillis(50));
    assertThat(ring.forceGlobal()).isTrue();
    assertThat(ring.hash()).isEqualTo(Fnv.FNV1A);
    assertThat(ring.replicas()).isEqualTo(64);
    assertThat(settings.discovery().self().dataCenter()).isEqualTo("east");
  }

  @Test
  void ourOwnAreBesideThem() {
    KeyedSettings settings =
        read(
            Map.of(
                "HEADGATE_KEYED_WHEN_UNREACHABLE", "local", "HEADGATE_KEYED_HAND_OVER_TIME", "2s"));
    assertThat(settings.ring().whenUnreachable()).isEqualTo(WhenUnreachable.LOCAL);
    assertThat(settings.ring().handOverTime()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void thoseThatNobodyKnowsAreTold() {
    assertThat(
            read(Map.of("GUBER_CASH_SIZE", "1", "GUBER_WORKER_COUNT", "4", "PATH", "/bin"))
                .unknown())
        .containsExactly("GUBER_CASH_SIZE");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "GUBER_GRPC_ADDRESS; here; GUBER_GRPC_ADDRESS: 'here' (expected: host:port)",
        "GUBER_CACHE_SIZE; 0; GUBER_CACHE_SIZE: '0' (expected: a whole number from 1 to 2147483647)",
        "GUBER_BATCH_LIMIT; 1001; GUBER_BATCH_LIMIT: '1001' (expected: a whole number from 1 to 1000)",
        "GUBER_BATCH_WAIT; soon; GUBER_BATCH_WAIT: 'soon' (expected: a duration such as 500ms, 1.5s or 2m)",
        "GUBER_PEER_PICKER; consistent-hash; GUBER_PEER_PICKER: 'consistent-hash' (expected: replicated-hash)",
        "GUBER_PEER_PICKER_HASH; crc32; GUBER_PEER_PICKER_HASH: 'crc32' (expected: fnv1 or fnv1a)",
        "HEADGATE_KEYED_WHEN_UNREACHABLE; open; HEADGATE_KEYED_WHEN_UNREACHABLE: 'open' (expected: error or local)"
      })
  void whatMakesNoSenseIsAnErrorWithItsName(String name, String value, String message) {
    assertThatThrownBy(() -> read(Map.of(name, value))).hasMessage(message);
  }

  @Test
  void aFileOfVariablesMayHaveComments(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("node.conf");
    Files.writeString(file, "# a node\n\nGUBER_CACHE_SIZE = 7\nGUBER_DATA_CENTER=a=b\n");
    assertThat(VariableFile.read(file))
        .containsExactly(Map.entry("GUBER_CACHE_SIZE", "7"), Map.entry("GUBER_DATA_CENTER", "a=b"));
    Files.writeString(file, "GUBER_CACHE_SIZE=7\nnonsense\n");
    assertThatThrownBy(() -> VariableFile.read(file))
        .hasMessage(file + ", line 2: 'nonsense' (expected: KEY=VALUE)");
  }
}
