package io.headgate.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CutTest {

  private static final long SECOND = 1_000_000_000L;

  private final World world = new World(1);
  private final Network network = new Network(world, Weather.CALM);
  private final List<String> received = new ArrayList<>();
  private final List<String> closed = new ArrayList<>();

  private final Node server = new Node(world, "server", "there", 0);
  private final Node client = new Node(world, "client", "here", 0);

  private final LinkListener<String> listener =
      new LinkListener<>() {
        @Override
        public void onMessage(String message) {
          received.add(message);
        }

        @Override
        public void onClosed(String reason) {
          closed.add(reason);
        }
      };

  @Test
  void whatIsSentDuringACutComesAfterItInOrder() {
    Link<String> link = connect();
    network.cut("here", "there");
    link.send("one");
    link.send("two");
    world.runUntil(6 * SECOND);
    assertThat(received).isEmpty();

    network.mend("here", "there");
    world.runUntil(7 * SECOND);

    assertThat(received).containsExactly("one", "two");
    assertThat(closed).isEmpty();
  }

  @Test
  void aStreamThatWaitsTooLongIsGivenUpByBothSides() {
    Link<String> link = connect();
    network.cut("here", "there");
    link.send("one");
    world.runUntil(SECOND + Network.KEEP_ALIVE_NANOS);

    network.mend("here", "there");
    world.runUntil(30 * SECOND);

    assertThat(received).isEmpty();
    assertThat(closed).hasSize(2);
  }

  @Test
  void whatIsUnderWayWhenAStreamBreaksIsLostAndBothSidesHearOfIt() {
    Link<String> link = connect();
    link.send("lost");
    world.runUntil(SECOND + 10_000_000);
    network.breakStreams(server);
    link.send("late");
    world.runUntil(3 * SECOND);

    assertThat(received).isEmpty();
    assertThat(closed).containsExactly("connection lost", "connection lost");
  }

  @Test
  void aClockThatIsTooFastReachesItsTimesEarly() {
    Node fast = new Node(world, "fast", "here", 7, 0.001);
    fast.schedule(1001 * SECOND, () -> received.add("time"));
    world.runUntil(1000 * SECOND - 1);
    assertThat(received).isEmpty();

    world.runUntil(1000 * SECOND + 1); // rounded up
    assertThat(received).containsExactly("time");
    assertThat(fast.nanoTime()).isEqualTo(1001 * SECOND + 1 + 7);
  }

  private Link<String> connect() {
    network.<String, String>listen("server:1", server, (peer, link) -> listener);
    Link<String> link =
        network.<String, String>connector(client, message -> -1).connect("server:1", listener);
    world.runUntil(SECOND);
    return link;
  }
}
