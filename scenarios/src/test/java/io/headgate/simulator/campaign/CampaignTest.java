package io.headgate.simulator.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.headgate.simulator.scenario.Event;
import io.headgate.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CampaignTest {

  private static final Logger LOG = Logger.getLogger("io.headgate");

  /** What the processes of so many worlds log is of no use. */
  @BeforeAll
  static void silence() {
    LOG.setLevel(Level.OFF);
  }

  /** The full campaign is a thousand worlds, by command. */
  @Test
  void everyInvariantHoldsInRandomWorlds() throws Exception {
    CampaignResult result = Campaign.run(1, 30, 2, done -> {});

    assertThat(result.seeds()).isEqualTo(30);
    assertThat(result.failures()).isEmpty();
    assertThat(result.judged()).hasSize(6);
  }

  /**
   * Worlds that have shown a mistake: a host that moves between two aggregators counted nowhere for
   * most of a second, and a busy host's silence by chance taken for a fall of demand.
   */
  @ParameterizedTest
  @ValueSource(longs = {171, 610})
  void invariantsHoldWhereTheyOnceDidNot(long seed) throws Exception {
    assertThat(Campaign.run(seed, 1, 1, done -> {}).failures()).isEmpty();
  }

  @Test
  void theSameSeedGivesTheSameWorldAndTheSameRun() {
    assertThat(Campaign.describe(7)).isEqualTo(Campaign.describe(7));
    assertThat(Campaign.describe(7)).isNotEqualTo(Campaign.describe(8));
    assertThat(moments(7)).isEqualTo(moments(7));
  }

  @Test
  void worldsAreOfManyKinds() {
    List<Scenario> worlds = new ArrayList<>();
    for (long seed = 1; seed <= 200; seed++) {
      worlds.add(RandomWorld.draw(seed));
    }

    assertThat(worlds).anyMatch(world -> world.regions().size() == 3);
    assertThat(worlds).anyMatch(world -> world.regions().size() == 1);
    assertThat(worlds).anyMatch(world -> world.events().isEmpty());
    assertThat(worlds).anyMatch(world -> world.events().size() >= 3);
    assertThat(worlds).anyMatch(world -> world.weather().duplication() > 0);
    assertThat(worlds).anyMatch(world -> world.traffic().get(0).attempts() > 1);
    assertThat(worlds).anyMatch(world -> world.clockDrift() > 0);
    assertThat(worlds).anyMatch(world -> has(world, Event.RuleChange.class));
    assertThat(worlds).anyMatch(world -> has(world, Event.Break.class));
  }

  @Test
  void aWorldIsSettledOnceItHasBeenLeftAlone() {
    Scenario world = RandomWorld.draw(1);
    Quiet quiet = new Quiet(world);

    assertThat(quiet.isSettled(Quiet.AFTER_START_SECONDS - 1, Quiet.AFTER_START_SECONDS)).isFalse();
    assertThat(quiet.isSettled(world.seconds() - 1, world.seconds())).isTrue();
  }

  @Test
  void theResultHasTheFieldsThatProgramsReadAndNoOther() throws Exception {
    CampaignResult result =
        new CampaignResult(
            2,
            1,
            List.of(new Failure(4711, "counts-conserved", 12, 3, "lost one")),
            List.of(new CampaignResult.Judged("counts-conserved", 2, 90)));

    assertThat(JsonMapper.builder().build().writeValueAsString(result))
        .isEqualTo(
            "{\"seeds\":2,\"violations\":1,\"failures\":"
                + "[{\"seed\":4711,\"invariant\":\"counts-conserved\",\"atSeconds\":12.0}],"
                + "\"judged\":[{\"invariant\":\"counts-conserved\",\"seeds\":2,\"seconds\":90}]}");
  }

  private static boolean has(Scenario world, Class<? extends Event> kind) {
    return world.events().stream().anyMatch(kind::isInstance);
  }

  private static List<Moment> moments(long seed) {
    List<Moment> moments = new ArrayList<>();
    SeedRun.run(seed, moments::add);
    return moments;
  }
}
