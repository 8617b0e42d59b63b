package io.headgate.simulator.baseline;

import io.headgate.simulator.run.Judge;
import io.headgate.simulator.run.Limiter;
import io.headgate.simulator.scenario.Traffic;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Node;
import io.headgate.simulator.world.World;
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
  private final Exchange<Long, Long> exchange;

  /** What all hosts told last, together. */
  private long totalLoad;

  TokenBuckets(World world, Network network, DoubleSupplier limitPerSecond) {
    this.limitPerSecond = limitPerSecond;
    this.exchange = new Exchange<>(world, network, SECOND_NANOS, LoadDesk::new);
  }

  @Override
  public Judge judge(Node host, Traffic traffic) {
    Proxy proxy = new Proxy();
    exchange.join(host, proxy::tick, proxy::hear);
    return proxy;
  }

  private final class LoadDesk implements Exchange.Desk<Long, Long> {

    private long load;

    @Override
    public Long answer(Long told) {
      totalLoad += told - load;
      load = told;
      return totalLoad;
    }

    @Override
    public void close() {
      totalLoad -= load;
      load = 0;
    }
  }

  private final class Proxy implements Judge {

    private final TokenRing tokens = new TokenRing(KEPT_SECONDS);
    private boolean informed;
    private double ratio;
    private long load;
    private long lastLoad;

    @Override
    public boolean admits(int criticality, boolean retry) {
      load++;
      return !informed || tokens.take();
    }

    /** A second is over. */
    private Long tick() {
      refill();
      lastLoad = load;
      load = 0;
      return lastLoad;
    }

    private void hear(Long total) {
      ratio = total > 0 ? (double) lastLoad / total : 0;
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
