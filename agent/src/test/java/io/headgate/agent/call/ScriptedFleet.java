package io.headgate.agent.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.agent.BucketCounts;
import io.headgate.agent.Gate;
import io.headgate.agent.HeadgateAgent;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.ServiceRules;
import io.headgate.core.shed.Directive;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.link.ThreadEventLoop;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Directives;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;

/**
 * A control plane in memory with the rules of one service, and directives as the test sets them,
 * for real agents.
 */
public final class ScriptedFleet implements AutoCloseable {

  /** Nothing passes. */
  public static final Directive DROP_ALL = new Directive(0, 0);

  private static final int TTL_MILLIS = 60_000;

  private final ThreadEventLoop loop = ThreadEventLoop.start("scripted-fleet");
  private final List<HeadgateAgent> agents = new ArrayList<>();
  private final RuleSet rules;
  private final Map<String, Directive> directives = new ConcurrentHashMap<>();

  /** A fleet in which everything passes at first. */
  public ScriptedFleet(String service, Rule... rules) {
    this.rules = RuleSet.of(1, List.of(new ServiceRules(service, List.of(rules))));
  }

  /** Starts an agent of this service. */
  public HeadgateAgent agent(String service) {
    HeadgateAgent agent =
        HeadgateAgent.builder()
            .service(service)
            .aggregators("scripted:1")
            .eventLoop(loop)
            .connector((address, listener) -> new AgentLink(listener))
            .reportInterval(Duration.ofMillis(10))
            .retryAfter(Duration.ofMillis(1500))
            .build();
    agents.add(agent);
    return agent;
  }

  /**
   * Gives all buckets of a rule this directive, and waits until a gate acts by it.
   *
   * @param directive one that drops retries of the lowest criticality
   */
  public void enforce(String rule, Directive directive, Gate gate) {
    directives.put(rule, directive);
    Awaitility.await().until(() -> gate.judge(5, true).rule().equals(rule));
  }

  /** Waits until a gate knows the rules. */
  public static void awaitRules(HeadgateAgent agent, Gate gate) {
    Awaitility.await()
        .until(
            () -> {
              gate.judge();
              return agent.bucketCounts().stream().anyMatch(bucket -> bucket.admitted() > 0);
            });
  }

  /** How many calls the only bucket of a rule has judged. */
  public static long offered(HeadgateAgent agent, String rule) {
    return only(agent, rule).offered();
  }

  /** How many calls the only bucket of a rule has dropped. */
  public static long dropped(HeadgateAgent agent, String rule) {
    return only(agent, rule).dropped();
  }

  private static BucketCounts only(HeadgateAgent agent, String rule) {
    List<BucketCounts> buckets =
        agent.bucketCounts().stream().filter(bucket -> bucket.rule().equals(rule)).toList();
    assertThat(buckets).hasSize(1);
    return buckets.get(0);
  }

  @Override
  public void close() {
    agents.forEach(HeadgateAgent::close);
    loop.close();
  }

  /** The aggregator's end of an agent's stream. */
  private final class AgentLink implements Link<AgentMessage> {

    private final LinkListener<AgentDirection> agent;
    private final Map<Integer, String> ruleOfBucket = new ConcurrentHashMap<>();
    private boolean closed;

    AgentLink(LinkListener<AgentDirection> agent) {
      this.agent = agent;
    }

    @Override
    public void send(AgentMessage message) {
      switch (message.getKindCase()) {
        case SUBSCRIBE ->
            answer(
                AgentDirection.newBuilder()
                    .setRules(RuleMessages.some(rules, message.getSubscribe().getServiceList())));
        case REPORT -> {
          for (BucketDefinition bucket : message.getReport().getDefineList()) {
            ruleOfBucket.put(bucket.getId(), bucket.getRule());
          }
          answer(AgentDirection.newBuilder().setDirectives(directives()));
        }
        case HELLO, GOODBYE, KIND_NOT_SET -> {}
      }
    }

    private Directives directives() {
      Directives.Builder message =
          Directives.newBuilder().setConfigVersion(1).setTtlMillis(TTL_MILLIS);
      ruleOfBucket.forEach(
          (bucket, rule) -> {
            Directive directive = directives.getOrDefault(rule, Directive.NONE);
            message.addBucket(bucket).addLevel(directive.level()).addAccept(directive.accept());
          });
      return message.build();
    }

    private void answer(AgentDirection.Builder direction) {
      AgentDirection message = direction.build();
      loop.execute(
          () -> {
            if (!closed) {
              agent.onMessage(message);
            }
          });
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
