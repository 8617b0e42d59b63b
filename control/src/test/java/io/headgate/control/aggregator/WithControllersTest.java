package io.headgate.control.aggregator;

import static io.headgate.control.aggregator.Samples.bucket;
import static io.headgate.control.aggregator.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.VirtualEventLoop;
import io.headgate.control.controller.Controller;
import io.headgate.control.controller.ControllerSettings;
import io.headgate.core.shed.Directive;
import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.ZoneDirection;
import io.headgate.protocol.v1.ZoneMessage;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An aggregator and the controllers of its region, in virtual time: what they make of each other.
 */
final class WithControllersTest {

  private static final long LIMIT = 1000;

  private final VirtualEventLoop loop = new VirtualEventLoop();
  private final Map<String, Controller> listening = new HashMap<>();
  private final List<Pipe> pipes = new ArrayList<>();
  private Aggregator aggregator;
  private FakeAgent agent;
  private long reports;

  @BeforeEach
  void setUp() {
    startController("one:7070");
    startController("two:7070");
    aggregator =
        new Aggregator(
            AggregatorSettings.builder()
                .aggregatorId("aggregator-0")
                .epoch(1)
                .region("eu")
                .zone("eu-1")
                .controllers(List.of("one:7070", "two:7070"))
                .build(),
            loop,
            connector(),
            new Random(1),
            new SimpleMeterRegistry());
    aggregator.start();
    agent = new FakeAgent(aggregator, Set.of());
    agent.hello(FakeAgent.hello("a", 1));
    agent.subscribe("payments");
  }

  @Test
  void whatIsOfferedBeyondTheLimitIsDropped() {
    offer(1500, 10);

    assertThat(lastAccept()).isCloseTo(2.0 / 3, within(0.01));
  }

  @Test
  void demandWithinTheLimitGetsNoDirective() {
    offer(800, 10);

    assertThat(agent.takeDirectives())
        .allSatisfy(message -> assertThat(message.getLevelList()).containsOnly(Directive.NO_LEVEL));
  }

  /** Another aggregator of the zone had given the agent a directive; this one has just started. */
  @Test
  void anAggregatorThatKnowsNothingYetLeavesTheDirectivesOfItsAgentsAlone() {
    offer(1500, 6);
    assertThat(agent.takeDirectives())
        .isNotEmpty()
        .allSatisfy(message -> assertThat(message.getLevelList()).containsOnly(3));
  }

  @Test
  void theDirectiveGoesOnWhenTheFollowedControllerDies() {
    offer(1500, 10);
    agent.take();
    String dead = following();
    cut(dead);
    offer(1500, 20);

    assertThat(following()).isNotEmpty().isNotEqualTo(dead);
    assertThatNothingLapsed(agent.take());
  }

  @Test
  void withoutAnyControllerTheTimeToLiveRunsOut() {
    offer(1500, 10);
    cut("one:7070");
    cut("two:7070");
    agent.take();
    offer(1500, 7);

    List<Integer> seconds =
        agent.takeHeartbeatTtls().stream().map(ttl -> (ttl + 999) / 1000).toList();
    assertThat(seconds).containsExactly(5, 4, 3, 2, 1, 0, 0);
  }

  @Test
  void aRestartedControlPlaneNeverClearsWhatIsInForce() {
    offer(1500, 10);
    cut("one:7070");
    cut("two:7070");
    startController("one:7070");
    startController("two:7070");
    agent.take();
    offer(1500, 20);

    assertThat(following()).isNotEmpty();
    assertThatNothingLapsed(agent.take());
  }

  /** The directive is in force now, was never cleared, and had time to live all along. */
  private void assertThatNothingLapsed(List<AgentDirection> messages) {
    var status = aggregator.status();
    loop.run();
    assertThat(status.join().buckets())
        .singleElement()
        .satisfies(bucket -> assertThat(bucket.dropRatio()).isCloseTo(1.0 / 3, within(0.01)));
    assertThat(messages)
        .filteredOn(AgentDirection::hasDirectives)
        .hasSizeGreaterThanOrEqualTo(20)
        .extracting(AgentDirection::getDirectives)
        .allSatisfy(
            message -> {
              assertThat(message.getTtlMillis()).isPositive();
              assertThat(message.getLevelList()).doesNotContain(Directive.NO_LEVEL);
            });
  }

  /** The agent reports so many requests each second. */
  private void offer(long perSecond, int seconds) {
    for (int i = 0; i < seconds; i++) {
      var report = report(++reports).addBucket(1).addOffered(perSecond);
      if (reports == 1) {
        report.addDefine(bucket(1, "all", ""));
      }
      agent.report(report);
      loop.runFor(Duration.ofSeconds(1));
    }
  }

  /** The address, which is also the id, of the controller that is followed. */
  private String following() {
    var status = aggregator.status();
    loop.run();
    return status.join().following();
  }

  private double lastAccept() {
    List<Directives> directives = agent.takeDirectives();
    return acceptOf(directives.get(directives.size() - 1));
  }

  private static double acceptOf(Directives message) {
    assertThat(message.getLevelList()).containsExactly(3);
    return new Directive(3, message.getAccept(0)).acceptRatio();
  }

  private void startController(String address) {
    Controller controller =
        new Controller(
            ControllerSettings.of(address, listening.size() + pipes.size(), "eu", List.of()),
            loop,
            (peer, listener) -> {
              throw new AssertionError("there are no peers");
            },
            new Random(2),
            new SimpleMeterRegistry());
    controller.updateRules(Samples.paymentsWithLimit(1, LIMIT), List.of());
    controller.start();
    listening.put(address, controller);
  }

  /** The controller there dies without a word. */
  private void cut(String address) {
    listening.remove(address);
    pipes.stream().filter(pipe -> pipe.address.equals(address)).forEach(Pipe::breakOff);
  }

  private Connector<ZoneMessage, ZoneDirection> connector() {
    return (address, listener) -> {
      Controller controller = listening.get(address);
      Pipe pipe = new Pipe(address, listener);
      if (controller == null) {
        loop.execute(() -> listener.onClosed("nobody listens"));
      } else {
        pipes.add(pipe);
        pipe.controller =
            controller
                .aggregators()
                .accept(new Acceptor.Peer("aggregator", Set.of()), pipe.new ToAggregator());
      }
      return pipe.new ToController();
    };
  }

  private final class Pipe {

    private final String address;
    private final LinkListener<ZoneDirection> aggregator;
    private @Nullable LinkListener<ZoneMessage> controller;
    private boolean broken;

    Pipe(String address, LinkListener<ZoneDirection> aggregator) {
      this.address = address;
      this.aggregator = aggregator;
    }

    void breakOff() {
      if (!broken) {
        broken = true;
        loop.execute(() -> aggregator.onClosed("connection lost"));
      }
    }

    private final class ToController implements Link<ZoneMessage> {

      @Override
      public void send(ZoneMessage message) {
        loop.execute(
            () -> {
              if (!broken && controller != null) {
                controller.onMessage(message);
              }
            });
      }

      @Override
      public boolean isReady() {
        return !broken;
      }

      @Override
      public void close() {
        broken = true;
      }
    }

    private final class ToAggregator implements Link<ZoneDirection> {

      @Override
      public void send(ZoneDirection message) {
        loop.execute(
            () -> {
              if (!broken) {
                aggregator.onMessage(message);
              }
            });
      }

      @Override
      public boolean isReady() {
        return !broken;
      }

      @Override
      public void close() {
        breakOff();
      }
    }
  }
}
