package io.headgate.simulator.run;

import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.ZoneDirection;
import io.headgate.protocol.v1.ZoneMessage;
import io.headgate.simulator.world.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows, from the messages alone, what each controller has heard whenever it sends directives. It
 * does not ask the controller, which may be wrong about itself.
 */
final class Witness implements ControllerTap {

  private static final double NANOS_PER_SECOND = 1e9;

  private final LongSupplier nanoTime;
  private final double forgetSeconds;
  private List<Sight.Ruling> rulings = new ArrayList<>();

  /**
   * A witness of nothing yet.
   *
   * @param nanoTime the world's time
   * @param forgetSeconds for how long after its last word an aggregator's demand still counts
   */
  Witness(LongSupplier nanoTime, double forgetSeconds) {
    this.nanoTime = nanoTime;
    this.forgetSeconds = forgetSeconds;
  }

  /** What was sent since the last time that this was asked. */
  List<Sight.Ruling> takeRulings() {
    List<Sight.Ruling> taken = rulings;
    rulings = new ArrayList<>();
    return taken;
  }

  @Override
  public Acceptor<ZoneDirection, ZoneMessage> listen(
      String controller, Node node, int expected, Acceptor<ZoneDirection, ZoneMessage> acceptor) {
    Knowledge knowledge = new Knowledge(controller, node, expected);
    return (peer, link) -> {
      Overheard overheard = new Overheard(knowledge, link);
      overheard.listener = acceptor.accept(peer, overheard);
      return overheard;
    };
  }

  /** What one run of one controller has heard. */
  private final class Knowledge {

    private final String controller;
    private final Node node;
    private final int expected;
    private final Map<String, Heard> heardById = new LinkedHashMap<>();
    private double connectedSeconds = Double.NaN;
    private double lastSeconds;

    Knowledge(String controller, Node node, int expected) {
      this.controller = controller;
      this.node = node;
      this.expected = expected;
    }

    /** An aggregator has connected or reported. */
    void alive(double nowSeconds) {
      // While it is stopped it neither hears nor forgets.
      double resumedSeconds = node.resumedNanos() / NANOS_PER_SECOND;
      double silentSeconds = nowSeconds - Math.max(lastSeconds, resumedSeconds);
      if (Double.isNaN(connectedSeconds) || silentSeconds > forgetSeconds) {
        connectedSeconds = nowSeconds;
        heardById.clear();
      }
      lastSeconds = nowSeconds;
    }

    void reported(String id, double nowSeconds) {
      alive(nowSeconds);
      heardById.computeIfAbsent(id, any -> new Heard(nowSeconds)).lastSeconds = nowSeconds;
    }

    void ruled(double nowSeconds) {
      List<Double> coveredSeconds = new ArrayList<>();
      for (Heard heard : heardById.values()) {
        coveredSeconds.add(heard.lastSeconds - heard.firstSeconds);
      }
      double since = Double.isNaN(connectedSeconds) ? 0 : nowSeconds - connectedSeconds;
      rulings.add(new Sight.Ruling(controller, nowSeconds, since, expected, coveredSeconds));
    }
  }

  /** When one aggregator was heard. */
  private static final class Heard {

    private final double firstSeconds;
    private double lastSeconds;

    Heard(double firstSeconds) {
      this.firstSeconds = firstSeconds;
      this.lastSeconds = firstSeconds;
    }
  }

  /** A stream, both ways. */
  private final class Overheard implements Link<ZoneDirection>, LinkListener<ZoneMessage> {

    private final Knowledge knowledge;
    private final Link<ZoneDirection> link;
    private @Nullable LinkListener<ZoneMessage> listener;
    private String aggregator = "";

    Overheard(Knowledge knowledge, Link<ZoneDirection> link) {
      this.knowledge = knowledge;
      this.link = link;
    }

    @Override
    public void send(ZoneDirection message) {
      if (message.hasDirectives()) {
        knowledge.ruled(nowSeconds());
      }
      link.send(message);
    }

    @Override
    public boolean isReady() {
      return link.isReady();
    }

    @Override
    public void close() {
      link.close();
    }

    @Override
    public void onMessage(ZoneMessage message) {
      if (message.hasHello()) {
        aggregator = message.getHello().getAggregatorId();
        knowledge.alive(nowSeconds());
      } else if (message.hasReport()) {
        knowledge.reported(aggregator, nowSeconds());
      }
      if (listener != null) {
        listener.onMessage(message);
      }
    }

    @Override
    public void onReady() {
      if (listener != null) {
        listener.onReady();
      }
    }

    @Override
    public void onClosed(String reason) {
      if (listener != null) {
        listener.onClosed(reason);
      }
    }

    private double nowSeconds() {
      return nanoTime.getAsLong() / NANOS_PER_SECOND;
    }
  }
}
