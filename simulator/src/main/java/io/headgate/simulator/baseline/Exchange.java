package io.headgate.simulator.baseline;

import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.simulator.world.Network;
import io.headgate.simulator.world.Node;
import io.headgate.simulator.world.World;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A central place to which each host tells something at intervals and from which it hears what came
 * of that of all.
 *
 * @param <ToldT> what hosts tell
 * @param <HeardT> what they hear
 */
final class Exchange<ToldT, HeardT> {

  private static final String ADDRESS = "centre:1";

  private final Network network;
  private final RandomGenerator random;
  private final long intervalNanos;

  /**
   * An exchange that is open from now on.
   *
   * @param centre the central place
   * @param acceptor what it does with what hosts tell
   */
  Exchange(
      World world,
      Network network,
      Node centre,
      long intervalNanos,
      Acceptor<HeardT, ToldT> acceptor) {
    this.network = network;
    this.random = world.random();
    this.intervalNanos = intervalNanos;
    network.listen(ADDRESS, centre, acceptor);
  }

  /** Has a host take part; hosts are out of step with one another. */
  void join(Node host, Supplier<ToldT> tell, Consumer<HeardT> hear) {
    new Member(host, tell, hear).join();
  }

  private final class Member implements LinkListener<HeardT> {

    private final Node host;
    private final Supplier<ToldT> tell;
    private final Consumer<HeardT> hear;
    private Link<ToldT> link;

    Member(Node host, Supplier<ToldT> tell, Consumer<HeardT> hear) {
      this.host = host;
      this.tell = tell;
      this.hear = hear;
      this.link = connect();
    }

    private Link<ToldT> connect() {
      return network.<ToldT, HeardT>connector(host, told -> 0).connect(ADDRESS, this);
    }

    void join() {
      host.schedule(random.nextLong(intervalNanos), this::tick);
    }

    private void tick() {
      link.send(tell.get());
      host.schedule(intervalNanos, this::tick);
    }

    @Override
    public void onMessage(HeardT heard) {
      hear.accept(heard);
    }

    @Override
    public void onClosed(String reason) {
      host.schedule(intervalNanos, () -> link = connect());
    }
  }
}
