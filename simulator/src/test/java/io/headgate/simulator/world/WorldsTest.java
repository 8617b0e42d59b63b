package io.headgate.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorldsTest {

  private static final long LATENCY = Weather.CALM.latencyNanos();
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  @Test
  void aMessageToAnotherWorldArrivesAfterTheLatency() {
    try (Worlds worlds = worlds(2)) {
      Chat chat = new Chat(worlds, false);
      worlds.runUntil(SECOND, false);

      chat.speak(0, "hello");
      worlds.runUntil(2 * SECOND, true);

      assertThat(chat.heard.get("c0")).containsExactly("hello at " + (SECOND + LATENCY));
    }
  }

  @Test
  void whatHappensDoesNotDependOnTheNumberOfThreads() {
    assertThat(talk(4)).isEqualTo(talk(1)).hasSize(6);
    assertThat(talk(3)).isEqualTo(talk(1));
  }

  /** Three worlds in which everybody answers at random times what it hears. */
  private static Map<String, List<String>> talk(int threads) {
    try (Worlds worlds = worlds(threads)) {
      Chat chat = new Chat(worlds, true);
      worlds.runUntil(SECOND, false);
      for (int pair = 0; pair < 3; pair++) {
        chat.speak(pair, "x");
      }
      worlds.runUntil(20 * SECOND, true);
      return chat.heard;
    }
  }

  private static Worlds worlds(int threads) {
    return new Worlds(1, List.of(List.of("a"), List.of("b"), List.of("c")), LATENCY, threads);
  }

  /** Pairs of nodes in different worlds, each with a stream between them. */
  private static final class Chat {

    private final Map<String, List<String>> heard = new HashMap<>();
    private final List<Link<String>> streams = new ArrayList<>();

    Chat(Worlds worlds, boolean answers) {
      Network network = new Network(worlds.of("a"), Weather.CALM);
      List<String> places = List.of("a", "b", "c");
      for (int pair = 0; pair < 3; pair++) {
        String place = places.get((pair + 1) % 3);
        String other = places.get((pair + 2) % 3);
        Node server = new Node(worlds.of(other), other + pair, other, 0);
        Node client = new Node(worlds.of(place), place + pair, place, 0);
        Voice ofServer = voice(server, worlds.of(other), answers);
        Voice ofClient = voice(client, worlds.of(place), answers);
        network.<String, String>listen(
            "server-" + pair,
            server,
            (peer, link) -> {
              ofServer.link = link;
              return ofServer;
            });
        Link<String> link =
            network
                .<String, String>connector(client, message -> -1)
                .connect("server-" + pair, ofClient);
        ofClient.link = link;
        streams.add(link);
      }
    }

    private Voice voice(Node node, World world, boolean answers) {
      List<String> log = new ArrayList<>();
      heard.put(node.name(), log);
      return new Voice(node, world, log, answers);
    }

    /** The pair's client says something; the server of the first is in the world of c. */
    void speak(int pair, String words) {
      streams.get(pair).send(words);
    }
  }

  private static final class Voice implements LinkListener<String> {

    private final Node node;
    private final World world;
    private final List<String> log;
    private final boolean answers;
    private final RandomGenerator random;
    private @Nullable Link<String> link;

    Voice(Node node, World world, List<String> log, boolean answers) {
      this.node = node;
      this.world = world;
      this.log = log;
      this.answers = answers;
      random = world.random();
    }

    @Override
    public void onMessage(String message) {
      log.add(message + " at " + world.nowNanos());
      Link<String> to = link;
      if (answers && to != null && message.length() < 300) {
        for (int word = 0; word < 2 && log.size() < 500; word++) {
          node.schedule(random.nextLong(100 * MILLI), () -> to.send(message + random.nextInt(10)));
        }
      }
    }

    @Override
    public void onClosed(String reason) {
      log.add(reason);
    }
  }
}
