package io.headgate.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.headgate.envoy.bootstrap.EnvoyBootstrap;
import io.headgate.envoy.bootstrap.TlsPaths;
import io.headgate.envoy.process.EnvoyBinary;
import io.headgate.envoy.process.EnvoyProcess;
import io.headgate.fixtures.TestPem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything with certificates: a server that looks after proxies and has neither aggregator nor
 * controller, an Envoy of the oldest version, and one with discovery in whole states.
 */
@Tag("process")
class SecuredDataPlaneTest {

  private static final String RULES =
      """
      service: shop
      rules:
        - { name: step, match: { procedure: step }, limit: LIMIT }
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private Fleet fleet;
  private TestPem servers;
  private String headgate;
  private EnvoyProcess oldest;
  private EnvoyProcess wholeState;

  @BeforeEach
  void start() throws Exception {
    servers =
        TestPem.make(
            directory, "servers", "ip:127.0.0.1,uri:spiffe://example.org/mesh/headgate-envoy");
    TestPem shop = TestPem.make(directory, "shop", "uri:spiffe://example.org/mesh/shop");
    Path trusted = directory.resolve("trusted.pem");
    Files.writeString(
        trusted, Files.readString(servers.certificate()) + Files.readString(shop.certificate()));
    fleet = new Fleet(directory, RULES.replace("LIMIT", "300/s"));
    String aggregator = fleet.freeAddress();
    headgate = fleet.freeAddress();
    fleet.launch(
        "control",
        "--zone=eu-1",
        "--role=controller,aggregator",
        "--listen=" + aggregator,
        "--rules=" + fleet.rules(),
        "--tls-cert=" + servers.certificate(),
        "--tls-key=" + servers.key(),
        "--tls-ca=" + trusted);
    fleet.launch(
        "proxies",
        "--zone=eu-1",
        "--role=envoy",
        "--listen=127.0.0.1:0",
        "--aggregators=" + aggregator,
        "--envoy=" + headgate,
        "--tls-cert=" + servers.certificate(),
        "--tls-key=" + servers.key(),
        "--tls-ca=" + trusted);
    fleet.await("control");
    fleet.await("proxies");
    oldest =
        fleet.envoy(
            "oldest", EnvoyBinary.OLDEST, bootstrap("oldest", 37, shop), UnaryOperator.identity());
    wholeState =
        fleet.envoy(
            "whole-state",
            EnvoyBinary.NEWEST,
            bootstrap("whole-state", 40, shop),
            yaml -> yaml.replace("api_type: DELTA_GRPC", "api_type: GRPC"));
    fleet.envoy(
        "other",
        EnvoyBinary.NEWEST,
        bootstrap("other", 40, shop),
        yaml -> yaml.replace("cluster: \"shop\"", "cluster: \"other\""));
  }

  private EnvoyBootstrap bootstrap(String id, int minor, TestPem pem) {
    return fleet
        .bootstrap(id, "eu-1", headgate)
        .headgateTls(
            new TlsPaths(
                pem.certificate().toString(),
                pem.key().toString(),
                servers.certificate().toString()))
        .envoyMinor(minor)
        .build();
  }

  @AfterEach
  void stop() throws Exception {
    if (fleet != null) {
      fleet.close();
    }
  }

  @Test
  void aLimitIsKeptByEnvoysOfBothVersionsAndBothFormsOfDiscovery() throws Exception {
    try (HttpLoad one = load(oldest);
        HttpLoad two = load(wholeState)) {
      Load.pass(10);
      assertThat(one.allLimited() + two.allLimited()).isZero();
      one.rate(450);
      two.rate(450);
      await().atMost(PATIENCE).until(() -> one.allLimited() > 0 && two.allLimited() > 0);
      int since = Load.pass(40);

      int from = Load.steady(since, 30, one, two);
      double passed = one.passed(from, from + 30) + two.passed(from, from + 30);
      double shareOne = Load.dropShare(from, from + 30, one);
      double shareTwo = Load.dropShare(from, from + 30, two);
      System.out.printf(
          "secured data plane: %.0f of 900 admitted in 3 s, shares %.3f by 1.37, %.3f in whole"
              + " states%n",
          passed, shareOne, shareTwo);
      assertThat(passed).isCloseTo(900, within(90.0));
      // Five standard deviations of the difference of 1,350 draws each.
      assertThat(shareOne).isCloseTo(shareTwo, within(0.09));

      fleet.rules(RULES.replace("LIMIT", "10000/s"));
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(RatiosInForce.of(oldest)).isEqualTo(Map.of());
                assertThat(RatiosInForce.of(wholeState)).isEqualTo(Map.of());
              });
      int cleared = Load.pass(5);
      assertThat(one.limited(cleared, cleared + 5) + two.limited(cleared, cleared + 5)).isZero();
      assertThat(one.failed() + two.failed()).isZero();
    }
    assertThat(fleet.server("proxies").log())
        .contains(
            "node.cluster is 'other', the certificate is for [spiffe://example.org/mesh/shop]");
  }

  private static HttpLoad load(EnvoyProcess envoy) {
    return new HttpLoad(envoy.listener("ingress"), "/step", () -> "checkout", 50, 2);
  }
}
