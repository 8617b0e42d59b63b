package io.headgate.simulator.run;

import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.v1.ZoneDirection;
import io.headgate.protocol.v1.ZoneMessage;
import io.headgate.simulator.world.Node;

/** Listens in on what goes between a controller and its aggregators, and changes nothing of it. */
@FunctionalInterface
interface ControllerTap {

  /** Hears nothing. */
  ControllerTap NONE = (controller, node, expected, acceptor) -> acceptor;

  /**
   * A controller has started.
   *
   * @param controller its name
   * @param node where it runs
   * @param expected how many aggregators its region has
   * @param acceptor takes its streams
   * @return what is to take them instead
   */
  Acceptor<ZoneDirection, ZoneMessage> listen(
      String controller, Node node, int expected, Acceptor<ZoneDirection, ZoneMessage> acceptor);
}
