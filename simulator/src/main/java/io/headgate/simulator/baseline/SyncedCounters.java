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
import java.util.function.DoubleSupplier;

/**
 * A counter in every host, of what all have admitted in this second, that is brought in line with a
 * central one several times a second.
 */
final class SyncedCounters implements Limiter {

  private static final long SYNC_NANOS = 250_000_000;

  private final DoubleSupplier limitPerSecond;
  private final Exchange<SyncedCount.Told, SyncedCount.Heard> exchange;
  private final WindowCount shared = new WindowCount();

  SyncedCounters(World world, Network network, DoubleSupplier limitPerSecond) {
    this.limitPerSecond = limitPerSecond;
    Node centre = new Node(world, "centre", "centre", 0);
    this.exchange = new Exchange<>(world, network, centre, SYNC_NANOS, this::accept);
  }

  private LinkListener<SyncedCount.Told> accept(Acceptor.Peer peer, Link<SyncedCount.Heard> link) {
    return new LinkListener<>() {
      @Override
      public void onMessage(SyncedCount.Told told) {
        double total = shared.add(told.window(), told.added());
        link.send(new SyncedCount.Heard(told.window(), total));
      }

      @Override
      public void onClosed(String reason) {} // What it admitted still counts.
    };
  }

  @Override
  public Judge judge(Node host, Traffic traffic) {
    SyncedCount count = new SyncedCount();
    exchange.join(host, () -> count.tell(host.nanoTime()), count::hear);
    return (criticality, retry) -> count.admits(host.nanoTime(), limitPerSecond.getAsDouble());
  }
}
