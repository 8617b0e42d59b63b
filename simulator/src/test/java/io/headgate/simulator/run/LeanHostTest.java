package io.headgate.simulator.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.agent.Gate;
import io.headgate.agent.HeadgateAgent;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.shed.Directive;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentHello;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Directives;
import io.headgate.protocol.v1.Report;
import io.headgate.simulator.scenario.Crowd;
import io.headgate.simulator.scenario.Scenario;
import io.headgate.simulator.scenario.ScenarioReader;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Node;
import io.headgate.simulator.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A lean host beside a production agent that counts the very same calls. */
class LeanHostTest {

  private static final long MILLI = 1_000_000;
  private static final int PROCEDURES = 4;

  /** An agent reports a quarter of an interval after its start, and then at its due times. */
  private static final long[] REPORTS_MILLIS = {250, 600, 1600, 2600, 3600};

  private final Scenario scenario = scenario();
  private final Crowd crowd = Objects.requireNonNull(scenario.crowd());
  private final World world = new World(3);
  private final Tiers tiers = new Tiers(scenario, world, new Network(world, scenario.weather()));
  private final LeanCrowd lean =
      new LeanCrowd(scenario, crowd, "eu-1", new double[] {1}, world, tiers);
  private final Wire leanWire = new Wire();
  private final Wire agentWire = new Wire();
  private final List<Gate> gates = new ArrayList<>();
  private boolean dropping;

  private static Scenario scenario() {
    ScenarioReader.Reading reading =
        ScenarioReader.read(
            "crowd.yaml",
            """
            name: crowd
            seconds: 10s
            regions:
              eu: { zones: [eu-1] }
            crowd:
              hosts: 1
              service: payments
              caller: checkout
              calls:
                - { procedure: Any/*, procedures: 4, each: 4, rate: 20/s }
            watch: { service: payments, rule: each }
            ---
            service: payments
            rules:
              - { name: each, per: [procedure], limit: 10/s, sampler: independent }
            """
                .getBytes(UTF_8));
    assertThat(reading.problems()).isEmpty();
    return Objects.requireNonNull(reading.scenario());
  }

  @Test
  void itSendsWhatAnAgentSendsThatCountsTheSame() {
    LeanHost host = start();
    int sent = 0;
    for (long millis : REPORTS_MILLIS) {
      if (millis > 1600) {
        direct(millis * MILLI - 700 * MILLI);
      }
      world.runUntil(millis * MILLI);
      host.report(0);
      makeCallsOf(leanWire.lastReport(), millis > 1600);
      world.runUntil(millis * MILLI + 1);
      assertThat(agentWire.sent).hasSize(leanWire.sent.size());
      sent++;
      if (millis == 250) {
        rules();
      }
    }

    assertThat(leanWire.reports()).hasSize(sent);
    for (int i = 0; i < leanWire.sent.size(); i++) {
      assertThat(leanWire.named(leanWire.sent.get(i)))
          .isEqualTo(agentWire.named(agentWire.sent.get(i)));
      assertThat(leanWire.sent.get(i).getSerializedSize())
          .isEqualTo(agentWire.sent.get(i).getSerializedSize());
    }
    assertThat(leanWire.lastReport().getDroppedCount()).isEqualTo(PROCEDURES);
  }

  /** The agent starts a nanosecond later, so that its reports follow at once upon the host's. */
  private LeanHost start() {
    LeanHost host = new LeanHost(lean, 0, 0);
    AgentHello hello =
        AgentHello.newBuilder()
            .setClientId("host")
            .setEpoch(1)
            .setService("checkout")
            .setRegion("eu")
            .setZone("eu-1")
            .setVersion("unpackaged")
            .build();
    host.start(leanWire, "aggregator:1", hello, "payments");
    world.runUntil(1);
    HeadgateAgent agent =
        HeadgateAgent.builder()
            .service("checkout")
            .clientId("host")
            .epoch(1)
            .region("eu")
            .zone("eu-1")
            .aggregators(List.of("aggregator:1"))
            .urgentReports(false)
            .eventLoop(new Node(world, "agent", "eu-1", 0))
            .connector(agentWire)
            .random(firstReportAt(600 * MILLI))
            .draws(() -> dropping ? -1L : 0L)
            .build();
    world.runUntil(1); // starts it before there are gates, so that it subscribes once
    for (int procedure = 1; procedure <= PROCEDURES; procedure++) {
      gates.add(agent.gate("payments", "checkout", "Any/" + procedure));
    }
    return host;
  }

  private static Random firstReportAt(long nanos) {
    return new Random(1) {
      @Override
      public long nextLong(long bound) {
        return nanos % bound;
      }
    };
  }

  private void rules() {
    AgentDirection rules =
        AgentDirection.newBuilder()
            .setRules(RuleMessages.all(RuleSet.of(7, scenario.rules())))
            .build();
    leanWire.deliver(rules);
    agentWire.deliver(rules);
  }

  /** Half of all calls are dropped from now on. */
  private void direct(long atNanos) {
    world.runUntil(atNanos);
    for (Wire wire : List.of(leanWire, agentWire)) {
      Directives.Builder directives =
          Directives.newBuilder().setConfigVersion(7).setTtlMillis(5_000);
      for (int number = 1; number <= PROCEDURES; number++) {
        directives.addBucket(number).addLevel(3).addAccept(Directive.accept(0.5));
      }
      wire.deliver(AgentDirection.newBuilder().setDirectives(directives).build());
    }
  }

  private void makeCallsOf(Report report, boolean directed) {
    for (int row = 0; row < report.getBucketCount(); row++) {
      long dropped = report.getDroppedCount() == 0 ? 0 : report.getDropped(row);
      assertThat(directed || dropped == 0).isTrue();
      Gate gate = gates.get(report.getBucket(row) - 1);
      for (long call = 0; call < report.getOffered(row); call++) {
        dropping = call < dropped;
        gate.judge();
      }
    }
  }

  /** Keeps what is sent, and names buckets whatever their numbers are. */
  private static final class Wire implements Connector<AgentMessage, AgentDirection> {

    private final List<AgentMessage> sent = new ArrayList<>();
    private final Map<Integer, String> names = new HashMap<>();
    private @Nullable LinkListener<AgentDirection> listener;

    @Override
    public Link<AgentMessage> connect(String address, LinkListener<AgentDirection> listener) {
      this.listener = listener;
      return new Link<>() {
        @Override
        public void send(AgentMessage message) {
          sent.add(message);
          for (BucketDefinition bucket : message.getReport().getDefineList()) {
            names.put(bucket.getId(), bucket.getRule() + " " + bucket.getProcedure());
          }
        }

        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void close() {}
      };
    }

    void deliver(AgentDirection direction) {
      Objects.requireNonNull(listener).onMessage(direction);
    }

    List<Report> reports() {
      return sent.stream().filter(AgentMessage::hasReport).map(AgentMessage::getReport).toList();
    }

    Report lastReport() {
      return reports().get(reports().size() - 1);
    }

    /** A message with its rows by their buckets' names. */
    List<Object> named(AgentMessage message) {
      Report report = message.getReport();
      Map<String, List<Long>> rows = new HashMap<>();
      for (int row = 0; row < report.getBucketCount(); row++) {
        rows.put(
            Objects.requireNonNull(names.get(report.getBucket(row))),
            List.of(
                report.getOffered(row),
                report.getDroppedCount() == 0 ? -1 : report.getDropped(row)));
      }
      AgentMessage.Builder rest = message.toBuilder();
      if (message.hasReport()) {
        rest.setReport(
            report.toBuilder().clearDefine().clearBucket().clearOffered().clearDropped());
      }
      return List.of(
          rest.build(),
          rows,
          report.getDefineList().stream()
              .map(bucket -> bucket.toBuilder().clearId().build())
              .collect(Collectors.toSet()));
    }
  }
}
