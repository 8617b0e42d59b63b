package io.headgate.benchmarks.judge;

import io.headgate.agent.HeadgateAgent;
import io.headgate.benchmarks.BenchmarkFailure;
import io.headgate.core.rule.Behavior;
import io.headgate.core.rule.NamePattern;
import io.headgate.core.rule.Rate;
import io.headgate.core.rule.Rule;
import io.headgate.core.rule.RuleSet;
import io.headgate.core.rule.Scope;
import io.headgate.core.rule.ServiceRules;
import io.headgate.core.shed.Directive;
import io.headgate.core.shed.Level;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.link.ThreadEventLoop;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Directives;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A real agent that reports each second, as in production, to an aggregator in this process which
 * knows one answer: the same rules for every service, and the same directive for every bucket.
 */
final class SteeredAgent implements AutoCloseable {

  /** The service, caller and procedure of the calls that its rules are about. */
  static final String SERVICE = "payments";

  static final String CALLER = "checkout";
  static final String PROCEDURE = "payments.v1.Payments/Charge";

  private static final int TTL_MILLIS = 10_000;
  private static final long STEADY_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long POLL_MILLIS = 5;

  private final ThreadEventLoop loop;
  private final HeadgateAgent agent;

  private SteeredAgent(ThreadEventLoop loop, HeadgateAgent agent) {
    this.loop = loop;
    this.agent = agent;
  }

  /**
   * Starts an agent, and waits until its gate for {@link #PROCEDURE} judges as it will.
   *
   * @param buckets how many buckets a call meets, 1 to 3
   * @param dropRatio the share that each of them drops; negative for no directive
   */
  static SteeredAgent start(String service, int buckets, double dropRatio)
      throws InterruptedException {
    ThreadEventLoop loop = ThreadEventLoop.start("agent");
    RuleSet rules = RuleSet.of(1, List.of(new ServiceRules(SERVICE, rules(buckets))));
    Directive directive =
        dropRatio < 0
            ? Directive.NONE
            : new Directive(Level.DEFAULT_CLASS, Directive.accept(1 - dropRatio));
    SteeredAgent steered =
        new SteeredAgent(
            loop,
            HeadgateAgent.builder()
                .service(service)
                .aggregators("127.0.0.1:1")
                .eventLoop(loop)
                .connector((address, listener) -> new Aggregator(loop, listener, rules, directive))
                .build());
    steered.awaitSteady(buckets, Math.max(0, dropRatio));
    return steered;
  }

  HeadgateAgent agent() {
    return agent;
  }

  @Override
  public void close() {
    agent.close();
    loop.close();
  }

  private void awaitSteady(int buckets, double dropRatio) throws InterruptedException {
    agent.gate(SERVICE, CALLER, PROCEDURE).judge();
    long deadline = System.nanoTime() + STEADY_TIMEOUT_NANOS;
    while (!isSteady(buckets, dropRatio)) {
      if (System.nanoTime() > deadline) {
        throw new BenchmarkFailure(
            "agent: buckets are "
                + agent.bucketCounts()
                + " (expected: "
                + buckets
                + " with drop ratio "
                + dropRatio
                + ")");
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private boolean isSteady(int buckets, double dropRatio) {
    var counts = agent.bucketCounts();
    return counts.size() == buckets
        && counts.stream().allMatch(each -> Math.abs(each.dropRatio() - dropRatio) < 1e-6);
  }

  /** Rules that all match, from the narrowest scope to the widest. */
  private static List<Rule> rules(int count) {
    List<Rule> rules = new ArrayList<>();
    for (Scope scope : List.of(Scope.GLOBAL, Scope.REGION, Scope.ZONE).subList(0, count)) {
      rules.add(
          new Rule(
              "charge-" + scope,
              NamePattern.of(CALLER),
              NamePattern.of(PROCEDURE),
              false,
              false,
              Rate.perSecond(1000),
              Map.of(),
              scope,
              Behavior.DENY));
    }
    return rules;
  }

  /** The aggregator's side of the link; lives on the agent's loop. */
  private static final class Aggregator implements Link<AgentMessage> {

    private final EventLoop loop;
    private final LinkListener<AgentDirection> listener;
    private final RuleSet rules;
    private final Directive directive;
    private final List<Integer> buckets = new ArrayList<>();

    Aggregator(
        EventLoop loop, LinkListener<AgentDirection> listener, RuleSet rules, Directive directive) {
      this.loop = loop;
      this.listener = listener;
      this.rules = rules;
      this.directive = directive;
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
            buckets.add(bucket.getId());
          }
          answer(AgentDirection.newBuilder().setDirectives(directives()));
        }
        case HELLO, GOODBYE, KIND_NOT_SET -> {}
      }
    }

    private void answer(AgentDirection.Builder message) {
      AgentDirection built = message.build();
      loop.execute(() -> listener.onMessage(built));
    }

    private Directives.Builder directives() {
      Directives.Builder message =
          Directives.newBuilder().setConfigVersion(rules.version()).setTtlMillis(TTL_MILLIS);
      for (int bucket : directive.isNone() ? List.<Integer>of() : buckets) {
        message.addBucket(bucket).addLevel(directive.level()).addAccept(directive.accept());
      }
      return message;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void close() {}
  }
}
