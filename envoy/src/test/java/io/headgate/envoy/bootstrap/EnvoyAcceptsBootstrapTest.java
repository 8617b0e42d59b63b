package io.headgate.envoy.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.fixtures.TestPem;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code envoy --mode validate} says. */
@Tag("process")
class EnvoyAcceptsBootstrapTest {

  private static final EnvoyBinary NEWEST = EnvoyBinary.of(EnvoyBinary.NEWEST);
  private static final EnvoyBinary OLDEST = EnvoyBinary.of(EnvoyBinary.OLDEST);

  @TempDir static Path directory;
  private static TestPem pem;

  @BeforeAll
  static void makeCertificates() throws Exception {
    pem = TestPem.make(directory, "own", "ip:127.0.0.1");
  }

  @ParameterizedTest
  @EnumSource(Example.class)
  void oneBootstrapIsForAllVersions(Example example) {
    String yaml = withFiles(example.forMinor(EnvoyBootstrap.OLDEST_MINOR).toYaml());

    assertThat(OLDEST.validate(yaml)).isEmpty();
    assertThat(NEWEST.validate(yaml)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Example.class)
  void newerOnesTakeTheScopeOfCounters(Example example) {
    String yaml = withFiles(example.forMinor(39).toYaml());

    assertThat(yaml).contains("max_counters: 100000");
    assertThat(NEWEST.validate(yaml)).isEmpty();
  }

  @Test
  void namesOfAnyFormAreTakenAsTheyAre() {
    EnvoyBootstrap bootstrap =
        EnvoyBootstrap.builder("p%a:y{}[]'\"\\#&*!", "z%", localhost())
            .region("-")
            .nodeId("id:%")
            .callers(CallerSource.fixed("%REQ(x)% 'a' \"b\" \\"))
            .envoyMinor(EnvoyBootstrap.OLDEST_MINOR)
            .build();

    assertThat(OLDEST.validate(bootstrap.toYaml())).isEmpty();
    assertThat(NEWEST.validate(bootstrap.toYaml())).isEmpty();
  }

  @Test
  void aBootstrapThatOnlyCountsIsTakenToo() {
    EnvoyBootstrap bootstrap =
        EnvoyBootstrap.builder("payments", "eu-1", localhost()).stages(Set.of()).build();

    assertThat(NEWEST.validate(bootstrap.toYaml())).isEmpty();
  }

  private static InetSocketAddress localhost() {
    return InetSocketAddress.createUnresolved("127.0.0.1", 8080);
  }

  private static String withFiles(String yaml) {
    return yaml.replace(Example.CERTIFICATE, pem.certificate().toString())
        .replace(Example.AUTHORITY, pem.certificate().toString())
        .replace(Example.KEY, pem.key().toString());
  }
}
