package io.headgate.simulator.baseline;

import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.simulator.run.Judge;
import io.headgate.simulator.run.Limiter;
import io.headgate.simulator.scenario.Traffic;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Node;
import io.headgate.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * A token bucket in every proxy, as the first version of Uber's limiter is described: each second a
 * proxy gets its share of the limit, which is its share of the load, and keeps what it does not use
 * for ten seconds.
 *
 * <p>What is not published is chosen in its favour: fractions of tokens add up, and a proxy that
 * has not been told of the others' load yet admits everything.
 */
final class TokenBuckets implements Limiter {

  private static final long SECOND_NANOS = 1_000_000_000;
  private static final int KEPT_SECONDS = 10;

  private final DoubleSupplier limitPerSecond;
  private final Node centre;
  private final Exchange<Double, Double> exchange;
  private final List<LoadDesk> desks = new ArrayList<>();

  TokenBuckets(World world, Network network, DoubleSupplier limitPerSecond) {
    this.limitPerSecond = limitPerSecond;
    this.centre = new Node(world, "centre", "centre", 0);
    this.exchange = new Exchange<>(world, network, centre, SECOND_NANOS, this::accept);
    centre.schedule(SECOND_NANOS, this::share);
  }

  private LoadDesk accept(Acceptor.Peer peer, Link<Double> link) {
    LoadDesk desk = new LoadDesk(link);
    desks.add(desk);
    return desk;
  }

  /** Tells each proxy its share of the load, all of the same moment, so that they sum to one. */
  private void share() {
    List<LoadDesk> heard = desks.stream().filter(desk -> desk.loadPerSecond >= 0).toList();
    double total = heard.stream().mapToDouble(desk -> desk.loadPerSecond).sum();
    if (total > 0) {
      heard.forEach(desk -> desk.link.send(desk.loadPerSecond / total));
    }
    centre.schedule(SECOND_NANOS, this::share);
  }

  @Override
  public Judge judge(Node host, Traffic traffic) {
    Proxy proxy = new Proxy(host);
    exchange.join(host, proxy::tick, proxy::hear);
    return proxy;
  }

  /** What the central place knows of one proxy. */
  private final class LoadDesk implements LinkListener<Double> {

    private final Link<Double> link;
    private double loadPerSecond = -1;

    LoadDesk(Link<Double> link) {
      this.link = link;
    }

    @Override
    public void onMessage(Double loadPerSecond) {
      this.loadPerSecond = loadPerSecond;
    }

    @Override
    public void onClosed(String reason) {
      desks.remove(this);
    }
  }

  private final class Proxy implements Judge {

    private final Node host;
    private final TokenRing tokens = new TokenRing(KEPT_SECONDS);
    private boolean informed;
    private double ratio;
    private long load;
    private long sinceNanos;

    Proxy(Node host) {
      this.host = host;
      this.sinceNanos = host.nanoTime();
    }

    @Override
    public boolean admits(int criticality, boolean retry) {
      load++;
      return !informed || tokens.take();
    }

    /** A second is over, or part of the first one: gives the load in it. */
    private Double tick() {
      refill();
      double perSecond = load * 1e9 / Math.max(1, host.nanoTime() - sinceNanos);
      load = 0;
      sinceNanos = host.nanoTime();
      return perSecond;
    }

    private void hear(Double share) {
      ratio = share;
      if (!informed) {
        informed = true;
        refill();
      }
    }

    private void refill() {
      tokens.refill(ratio * limitPerSecond.getAsDouble());
    }
  }
}
