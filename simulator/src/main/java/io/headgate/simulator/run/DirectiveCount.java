package io.headgate.simulator.run;

import io.headgate.core.shed.Directive;
import io.headgate.protocol.link.Acceptor;
import io.headgate.protocol.link.Link;
import io.headgate.protocol.v1.ZoneDirection;
import io.headgate.protocol.v1.ZoneMessage;
import io.headgate.simulator.world.Node;

/** Counts what controllers order to be dropped, change by change. */
final class DirectiveCount implements ControllerTap {

  private long rows;

  /** How many directives were sent, to all aggregators together; renewals and clears are none. */
  long rows() {
    return rows;
  }

  @Override
  public Acceptor<ZoneDirection, ZoneMessage> listen(
      String controller, Node node, int expected, Acceptor<ZoneDirection, ZoneMessage> acceptor) {
    return (peer, link) -> acceptor.accept(peer, new Counted(link));
  }

  private final class Counted implements Link<ZoneDirection> {

    private final Link<ZoneDirection> link;

    Counted(Link<ZoneDirection> link) {
      this.link = link;
    }

    @Override
    public void send(ZoneDirection message) {
      for (int level : message.getDirectives().getLevelList()) {
        rows += level == Directive.NO_LEVEL ? 0 : 1;
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
  }
}
