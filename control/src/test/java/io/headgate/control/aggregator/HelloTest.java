package io.headgate.control.aggregator;

import static io.headgate.control.aggregator.FakeAgent.hello;
import static io.headgate.control.aggregator.Samples.firstReport;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.protocol.v1.AgentHello;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HelloTest {

  private AggregatorWorld world = AggregatorWorld.withRules();

  @Test
  void aClientOfThisZoneIsTaken() {
    FakeAgent agent = world.connect("a");
    agent.report(firstReport(5));
    world.interval();

    assertThat(agent.isClosed()).isFalse();
    assertThat(world.offered()).isEqualTo(5);
  }

  @Test
  void aClientIdOf128CharactersIsTaken() {
    assertThat(world.connect("~".repeat(128)).isClosed()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "caf\u00e9", "a\u0000b", "\u007f"})
  void aClientIdOfOtherThanPrintableAsciiIsRefused(String clientId) {
    assertThat(world.connect(clientId).isClosed()).isTrue();
    assertThat(world.refusedClients("bad_hello")).isEqualTo(1);
  }

  @Test
  void aClientIdOf129CharactersIsRefused() {
    assertThat(world.connect("a".repeat(129)).isClosed()).isTrue();
    assertThat(world.refusedClients("bad_hello")).isEqualTo(1);
  }

  @Test
  void aClientWithoutAServiceIsRefused() {
    assertThat(isTaken(hello("a", 1).toBuilder().setService("").build())).isFalse();
    assertThat(world.refusedClients("bad_hello")).isEqualTo(1);
  }

  @Test
  void aClientOfAnotherZoneOrRegionIsRefused() {
    assertThat(isTaken(hello("a", 1).toBuilder().setZone("eu-2").build())).isFalse();
    assertThat(isTaken(hello("a", 1).toBuilder().setRegion("us").build())).isFalse();
    assertThat(world.refusedClients("wrong_zone")).isEqualTo(2);
  }

  @Test
  void aStreamThatDoesNotBeginWithAHelloIsRefused() {
    FakeAgent agent = world.stranger(Set.of());
    agent.report(firstReport(5));
    world.interval();

    assertThat(agent.isClosed()).isTrue();
    assertThat(world.refusedClients("bad_hello")).isEqualTo(1);
    assertThat(world.offered()).isZero();
  }

  @Test
  void aSecondHelloOnAStreamIsRefused() {
    FakeAgent agent = world.connect("a");
    agent.hello(hello("b", 1));

    assertThat(agent.isClosed()).isTrue();
    assertThat(world.refusedClients("bad_hello")).isEqualTo(1);
  }

  @Test
  void aStreamThatStaysMuteIsClosedAfterTenSeconds() {
    FakeAgent agent = world.stranger(Set.of());
    world.runFor(9_900);
    assertThat(agent.isClosed()).isFalse();

    world.runFor(1_100);
    assertThat(agent.isClosed()).isTrue();
  }

  @Test
  void aClientWithACertificateMayOnlyReportAsItsService() {
    FakeAgent itself = world.stranger(Set.of("checkout.example.org", "spiffe://corp/ns/checkout"));
    itself.hello(hello("a", 1));
    assertThat(itself.isClosed()).isFalse();

    FakeAgent another = world.stranger(Set.of("spiffe://corp/ns/desk"));
    another.hello(hello("b", 1));
    assertThat(another.isClosed()).isTrue();

    FakeAgent similar = world.stranger(Set.of("spiffe://corp/ns/not-checkout"));
    similar.hello(hello("c", 1));
    assertThat(similar.isClosed()).isTrue();

    FakeAgent withoutSpiffe = world.stranger(Set.of("checkout"));
    withoutSpiffe.hello(hello("d", 1));
    assertThat(withoutSpiffe.isClosed()).isTrue();
    assertThat(world.refusedClients("identity")).isEqualTo(3);
  }

  @Test
  void whoeverReportsForProxiesMayReportAsAnyService() {
    FakeAgent proxies = world.stranger(Set.of("spiffe://corp/ns/headgate-envoy"));
    proxies.hello(hello("envoy:a", 1));
    assertThat(proxies.isClosed()).isFalse();
  }

  @Test
  void theCheckOfTheIdentityCanBeLeftOut() {
    world = new AggregatorWorld(1, s -> s.requireIdentity(false));
    FakeAgent agent = world.stranger(Set.of("spiffe://corp/ns/desk"));
    agent.hello(hello("a", 1));
    assertThat(agent.isClosed()).isFalse();
  }

  @Test
  void aStreamMoreThanTheBoundIsRefused() {
    world = new AggregatorWorld(1, s -> s.maxClients(2));
    world.controller().join(Samples.payments(1));
    FakeAgent a = world.connect("a");
    FakeAgent b = world.connect("b");
    a.report(firstReport(10));
    b.report(firstReport(20));
    assertThat(world.connect("c").isClosed()).isTrue();
    assertThat(world.refusedClients("too_many_clients")).isEqualTo(1);

    b.goodbye();
    b.breakOff();
    FakeAgent c = world.connect("c");
    c.report(firstReport(40));
    world.interval();
    assertThat(world.offered()).isEqualTo(50);
  }

  @Test
  void clientsThatLeftTheirRatesBehindCountAgainstTheBound() {
    world = new AggregatorWorld(1, s -> s.maxClients(1));
    FakeAgent a = world.connect("a");
    a.report(firstReport(10));
    a.breakOff();
    assertThat(world.connect("b").isClosed()).isTrue();

    world.runFor(2100);
    assertThat(world.connect("b").isClosed()).isFalse();
  }

  @Test
  void aStoppedAggregatorClosesItsStreamsAndTakesNoMore() {
    FakeAgent before = world.connect("a");
    world.aggregator.stop();
    world.loop.run();

    assertThat(before.isClosed()).isTrue();
    assertThat(world.connect("b").isClosed()).isTrue();
  }

  private boolean isTaken(AgentHello hello) {
    FakeAgent agent = world.stranger(Set.of());
    agent.hello(hello);
    return !agent.isClosed();
  }
}
