package io.headgate.benchmarks.envoy;

import io.headgate.core.rule.RuleSet;
import io.headgate.core.shed.Directive;
import io.headgate.core.time.EventLoop;
import io.headgate.protocol.RuleMessages;
import io.headgate.protocol.link.Connector;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.AgentDirection;
import io.headgate.protocol.v1.AgentMessage;
import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.Directives;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An aggregator that gives fixed rules and the directives that it is told to give. */
final class ScriptedAggregator implements Connector<AgentMessage, AgentDirection> {

  private static final int LEVEL = 3;
  private static final int TTL_MILLIS = 600_000;

  private final EventLoop loop;
  private final RuleSet rules;
  private final String dropping;

  private @Nullable LinkListener<AgentDirection> proxy; // of the loop
  private volatile int bucket;
  private volatile long offered;

  /** One that directs the bucket of the rule {@code dropping}. */
  ScriptedAggregator(EventLoop loop, RuleSet rules, String dropping) {
    this.loop = loop;
    this.rules = rules;
    this.dropping = dropping;
  }

  @Override
  public Link<AgentMessage> connect(String address, LinkListener<AgentDirection> listener) {
    proxy = listener;
    return new Link<>() {
      @Override
      public void send(AgentMessage message) {
        loop.execute(() -> receive(message));
      }

      @Override
      public boolean isReady() {
        return true;
      }

      @Override
      public void close() {}
    };
  }

  private void receive(AgentMessage message) {
    if (message.hasSubscribe()) {
      send(AgentDirection.newBuilder().setRules(RuleMessages.all(rules)));
    } else if (message.hasAsk()) {
      define(message.getAsk().getDefineList());
    } else if (message.hasReport()) {
      define(message.getReport().getDefineList());
      offered = message.getReport().getOfferedList().stream().mapToLong(Long::longValue).sum();
      send(directives());
    }
  }

  private void define(List<BucketDefinition> definitions) {
    for (BucketDefinition definition : definitions) {
      if (definition.getRule().equals(dropping)) {
        bucket = definition.getId();
      }
    }
  }

  private void send(AgentDirection.Builder message) {
    if (proxy != null) {
      proxy.onMessage(message.build());
    }
  }

  private AgentDirection.Builder directives(Directives.Builder rows) {
    return AgentDirection.newBuilder()
        .setDirectives(rows.setConfigVersion(rules.version()).setTtlMillis(TTL_MILLIS));
  }

  private AgentDirection.Builder directives() {
    return directives(Directives.newBuilder());
  }

  /** Whether the bucket has been reported. */
  boolean knowsBucket() {
    return bucket != 0;
  }

  /** What the last report had of offered calls. */
  long offered() {
    return offered;
  }

  /** Has the bucket drop this share of its calls from now on. */
  void drop(double share) {
    loop.execute(
        () ->
            send(
                directives(
                    Directives.newBuilder()
                        .addBucket(bucket)
                        .addLevel(share == 0 ? Directive.NO_LEVEL : LEVEL)
                        .addAccept(Directive.accept(1 - share)))));
  }
}
